// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "sim/base/units.h"

namespace gpufeed {

/// What has passed since it was made, by the clock and of the calling thread's time on a core:
/// others may take some of a core away, which is not part of what a piece of work costs.
class Stopwatch {
 public:
  Stopwatch();
  Seconds by_clock() const;
  Seconds of_core() const;

 private:
  std::chrono::steady_clock::time_point start_;
  double core_start_;
};

}  // namespace gpufeed
