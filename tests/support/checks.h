// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include "sim/model/result/result.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"

/// What tests of many kinds hold results against.
namespace gpufeed {

inline double rate_of(const Scenario& scenario) {
  return simulate(scenario).throughput_samples_per_s;
}

/// A GPU does one thing at a time: its shares fill the time.
inline void check_spent_once(const Result& result) {
  CHECK_FALSE(result.gpus.empty());
  for (const auto& group : result.gpus) {
    const GpuShare& s = group.share;
    CHECK(s.compute + s.storage + s.decode + s.copy + s.exchange + s.barrier + s.checkpoint ==
          about(1, 1e-9));
  }
}

}  // namespace gpufeed
