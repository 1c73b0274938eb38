// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "sim/base/numbers/statistics.h"

/// Median wall time of so many runs.
inline double seconds_of(const std::function<void()>& work, std::size_t runs = 5) {
  std::vector<double> times(runs);
  for (double& time : times) {
    const auto start = std::chrono::steady_clock::now();
    work();
    time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return gpufeed::median(std::move(times));
}
