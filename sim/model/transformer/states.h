// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/training.h"

namespace gpufeed {

inline constexpr double kHalf = 2, kSingle = 4;  ///< bytes of a number

/// Bytes of a parameter that is trained or frozen in 16 bits, 2, or frozen in 4 with their scales:
/// 0.5 + 1/64 + 4/(64 x 256).
double frozen_bytes(const kind::Training& training);

/// Bytes of a parameter that its optimizer keeps: one number, two or none, in fp32 beside a copy of
/// the weight in fp32, in 16 bits where all is (workload.master_weights = false).
double state_bytes(const kind::Training& training);

/// Bytes of a parameter that a step of its optimizer reads and writes: what it keeps and the weight
/// in 16 bits, both ways, and the gradient; with fp32 copies, weights are written only, and
/// gradients are also set to zero. Adam: 14, with fp32 copies 34.
double optimizer_bytes(const kind::Training& training);

}  // namespace gpufeed
