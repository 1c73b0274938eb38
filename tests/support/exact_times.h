// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/support/checks.h"
#include "tests/support/random_machine.h"

/// One mechanism alone between storage and GPU, on a machine whose times a test can add up.
namespace gpufeed::systems {

/// An ample machine with no variation at all and one worker, so that times add up exactly.
inline RandomMachine exact() {
  RandomMachine m = ample_machine();
  m.workers = 1;
  m.prefetch = 1;
  m.jitter = 0;
  return m;
}

inline constexpr double kReadLatency = 101e-6;  ///< 100 us of the drive, 1 us of its link
inline constexpr double kDecodeTime = 1e-6;  ///< of ample_machine(): a million samples/s of a core
/// Of one batch of ample_machine().
inline constexpr double kCopyAndCompute = 1e-6 + 32 * 1e4 / 1e11 + 32 / 1e3;

/// What the drive of ample_machine() attains with requests of so many bytes, many at once.
inline double drive_rate(double request) {
  return std::pow(std::pow(1e10, -4) + std::pow(1e6 * std::min(request, 131072.0), -4), -0.25);
}

/// Time of the first batch until it is on the GPU and computed, in ample machines.
inline double first_step(const Scenario& scenario) {
  return simulate(scenario).time_to_first_result_s;
}

}  // namespace gpufeed::systems
