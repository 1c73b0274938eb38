// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/kinds/training/training.h"
#include "tests/support/checks.h"

namespace gpufeed {

/// What was simulated is within its bound before it is held to that, and what is told is within it.
inline void check_unheld(const Result& result, const Unheld& unheld, Ratio precision) {
  constexpr double kRounding = 1e-9;
  // Beyond two half widths of 95 % one in a thousand lies by chance (Student's t of 7).
  CHECK(unheld.all.over <= 2 * unheld.all.known_to);
  // Where some GPUs live on their stocks, the pace of all is believed to twice the precision.
  const double stock = std::min(unheld.steady.of_stock, 2 * precision.value);
  CHECK(unheld.steady.over <= 2 * unheld.steady.known_to + stock);
  const double bound = result.bound.samples_per_s * (1 + kRounding);
  CHECK(result.throughput_samples_per_s <= bound);
  if (result.steady_samples_per_s) CHECK(*result.steady_samples_per_s <= bound);
  check_loads(result, kRounding);
}

}  // namespace gpufeed
