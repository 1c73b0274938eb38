// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/drive_time.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {

namespace {

constexpr double kRatioError = 0.01;  ///< a drive's rates are hardly ever known better than that
/// Listings of a link in one route: each costs SimGrid time in every step. At 50 to 1 the slower
/// direction takes all of the drive's time anyway.
constexpr int kMostTimes = 50;

}  // namespace

DriveTime drive_time(Bandwidth read, Bandwidth write) {
  const double ratio = std::max(read / write, write / read);
  int slow = 0;
  int fast = 0;
  do slow = static_cast<int>(std::lround(++fast * ratio));
  while (std::abs(slow / (fast * ratio) - 1) > kRatioError && fast < kMostTimes);
  DriveTime time;
  time.read_times = read < write ? slow : fast;
  time.write_times = read < write ? fast : slow;
  time.capacity = std::max(read * time.read_times, write * time.write_times);
  return time;
}

}  // namespace gpufeed
