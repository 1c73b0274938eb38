// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/compute.h"

namespace gpufeed {

/// Time of one training step on one GPU that never waits.
struct ComputeTime {
  Seconds step;
  bool includes_exchange = false;
  Basis basis = Basis::estimate;
  std::string source;
  std::string caveat;  ///< set where the batch lies outside the measured ones
};

/// From the measured rates of one GPU: step time = batch / rate, linear in the batch between two
/// measured batches and beyond them along the nearest two; in proportion where only one is known.
/// \param rows  of one GPU and precision, by batch; at least one
ComputeTime compute_time(const std::vector<ComputeRow>& rows, std::int64_t batch);

}  // namespace gpufeed
