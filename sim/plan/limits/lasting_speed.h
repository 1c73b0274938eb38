// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace gpufeed {

/// GPUs of one model differ lastingly. Time of a step of the GPU at place `gpu` of its node over
/// that of a typical one, for normally distributed times of standard deviation `spread`: the
/// expected times of a node's GPUs in order, but the last is as slow as the slowest of all GPUs. So
/// every node is like every other, and the machine waits for the GPU that it would wait for.
/// \param gpus  of the node
/// \param all   of all nodes
/// \source  Blom's approximation of expected order statistics, 1958
double lasting_slowness(Ratio spread, std::int64_t gpu, std::int64_t gpus, std::int64_t all);

}  // namespace gpufeed
