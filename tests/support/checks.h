// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include "sim/model/result/result.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"

/// What tests of many kinds hold results against.
namespace gpufeed {

/// What formulas of one limit speak of: the rate between an epoch's fill and its end.
inline double steady_of(const Result& result) {
  REQUIRE(result.steady_samples_per_s);
  return *result.steady_samples_per_s;
}
inline double rate_of(const Scenario& scenario) { return steady_of(simulate(scenario)); }
inline double steady_step_of(const Result& result) {
  return result.step_s * result.throughput_samples_per_s / steady_of(result);
}

/// A GPU does one thing at a time: its shares fill the time.
inline void check_spent_once(const Result& result) {
  CHECK_FALSE(result.gpus.empty());
  for (const auto& group : result.gpus) {
    const GpuShare& s = group.share;
    CHECK(s.compute + s.gpu_decode + s.storage + s.decode + s.copy + s.exchange + s.barrier +
              s.checkpoint ==
          about(1, 1e-9));
  }
}

/// Nothing carries more than it can.
inline void check_loads(const Result& result, double noise) {
  for (const auto& stage : result.stages) {
    CAPTURE(form_of(stage.stage.code).name);
    CHECK(result.throughput_samples_per_s <= stage.capacity_samples_per_s * (1 + noise));
  }
  for (const auto& resource : result.resources) {
    CAPTURE(resource.id);
    CHECK(resource.utilization <= 1 + noise);
  }
}

}  // namespace gpufeed
