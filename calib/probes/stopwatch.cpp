// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/stopwatch.h"

#include <ctime>

namespace gpufeed {
namespace {

double core_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * kNano;
}

}  // namespace

Stopwatch::Stopwatch() : start_(std::chrono::steady_clock::now()), core_start_(core_seconds()) {}

Seconds Stopwatch::by_clock() const {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()};
}

Seconds Stopwatch::of_core() const { return {core_seconds() - core_start_}; }

}  // namespace gpufeed
