// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/drive_time.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {

DriveTime drive_time(Bandwidth read, Bandwidth write) {
  constexpr double kClose = 0.01;  // drives are not known better
  constexpr int kMost = 50;
  const double ratio = std::max(read / write, write / read);
  int slow = 0;
  int fast = 0;
  do slow = static_cast<int>(std::lround(++fast * ratio));
  while (std::abs(slow / (fast * ratio) - 1) > kClose && fast < kMost);
  DriveTime time;
  time.read_times = read < write ? slow : fast;
  time.write_times = read < write ? fast : slow;
  time.capacity = std::max(read * time.read_times, write * time.write_times);
  return time;
}

}  // namespace gpufeed
