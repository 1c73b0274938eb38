// SPDX-License-Identifier: Apache-2.0
// Changes that are not simulated, for what bounds them says that they would not help.
#include <doctest/doctest.h>

#include "reports/study/whatif.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/what_if.h"

using namespace gpufeed;

TEST_CASE("what is not simulated would not have helped") {
  std::int64_t bounded = 0;
  for (const char* example : {"03_data_density/scenario_video.toml",
                              "06_how_many_cores/scenario.toml", "16_h100_or_l40s/l40s_nfs.toml"}) {
    const ScenarioSource source = source_of(kExamples + example);
    const WhatIf report = tried(source);
    for (const RejectedChange& change : report.rejected) {
      if (change.verdict != Rejected::bounded) continue;
      CAPTURE(change.change);
      CHECK(change.cause.starts_with("at most "));
      ++bounded;
      std::vector<Override> overrides;
      for (const auto& set : change.sets) overrides.push_back(parse_override(set));
      Scenario changed = source.load(overrides);
      changed.run.once();
      const Result after = simulate(changed);
      CHECK(after.job_samples_per_s <= 1.005 * report.now.job_samples_per_s);
      if (after.price_USD && report.now.price_USD) CHECK(*after.price_USD >= *report.now.price_USD);
    }
  }
  CHECK(bounded > 20);
}
