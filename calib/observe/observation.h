// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calib/observe/counters.h"

namespace gpufeed {

/// A mean over equal times, and how far off it may be: the standard deviation of the parts over the
/// root of their number, half a percent at least.
struct SeenRate {
  double value = 0;
  double spread = 0;
};

/// What a job did while it was watched.
struct Observation {
  SeenRate cores;
  SeenRate read_Bps;
  SeenRate reads_per_s;
  SeenRate received_Bps;
  std::optional<SeenRate> gpu_use;
  double time_s = 0;
};

/// \throws InputError  of fewer than four moments
Observation observation_of(const std::vector<Counters>& moments);

/// As a file of `simulate --observed`. What was next to nothing is left out: another part of the
/// machine may have done it. \param title  of the file
std::string observed_toml(const Observation& seen, const std::string& title);

}  // namespace gpufeed
