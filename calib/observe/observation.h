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

/// Of one part: as far off as what is seen without a spread, 5 %. \param parts  one at least
SeenRate mean_of(const std::vector<double>& parts);

/// What a job did while it was watched.
struct WatchedJob {
  SeenRate cores;
  std::optional<SeenRate> own_Bps;  ///< what drives read for its processes; none: not known
  SeenRate read_Bps;                ///< and for the whole machine
  SeenRate reads_per_s;
  SeenRate received_Bps;
  std::optional<SeenRate> gpu_use;
  double time_s = 0;
};

/// \throws InputError  of fewer than four moments
WatchedJob observation_of(const std::vector<Counters>& moments);

/// As a file of `simulate --observed`. What was next to nothing is left out: another part of the
/// machine may have done it. So is the rate of requests, which the kernel counts by drive only,
/// where drives read much for others. \param title  of the file
std::string observed_toml(const WatchedJob& seen, const std::string& title);

}  // namespace gpufeed
