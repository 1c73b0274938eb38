// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/advice.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/study/whatif.h"
#include "reports/writers/json.h"
#include "sim/elasticity.h"
#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "ui/model/decide/advice_rows.h"

namespace gpufeed::ui {
namespace {

/// One loader worker each holds eight GPUs back.
const std::string kText =
    "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"alexnet\"\ndataset = "
    "\"imagenet-1k\"\nsamples = 400000\n[loader]\nworkers_per_gpu = 1\n";

Answered answered(const std::string& text) {
  Answered out{text,
               "x.toml",
               std::make_shared<const Scenario>(parse_scenario(text, "x.toml", own_catalog())),
               {}};
  out.result = std::make_shared<const Result>(simulate(*out.scenario));
  return out;
}

}  // namespace

TEST_CASE("advice is what the command line says of the same scenario, bit for bit") {
  const Answered now = answered(kText);
  Adviser adviser(own_catalog());
  CHECK(!adviser.busy());
  adviser.begin(now);
  adviser.finish();
  const Advice& advice = adviser.advice();
  REQUIRE(advice.problem.empty());
  REQUIRE(advice.elasticity);
  REQUIRE(advice.what_if);
  CHECK(advice.parts_tried);
  CHECK(to_json(*advice.elasticity) == to_json(elasticity_of(*now.scenario, *now.result)));
  const Catalog catalog = own_catalog().remembering();
  const WhatIf all = what_if(ScenarioSource(kText, "x.toml", catalog), catalog, {});
  CHECK(to_json(*advice.what_if) == to_json(all));
  CHECK(advice.elasticity->binds == fact<LimiterCode::loader_workers>());
}

TEST_CASE("a change that is tried gives what was said of it") {
  const Answered now = answered(kText);
  Adviser adviser(own_catalog());
  adviser.begin(now);
  adviser.finish();
  REQUIRE(adviser.advice().what_if);
  REQUIRE(!adviser.advice().what_if->rows.empty());
  const Advice& advice = adviser.advice();
  CHECK(std::ranges::count(advice.can_try, true) > 1);
  for (std::size_t i = 0; i < advice.what_if->rows.size(); ++i) {
    const WhatIfRow& row = advice.what_if->rows[i];
    INFO(row.change);
    if (!advice.can_try[i]) continue;
    const std::string text = with_change(kText, row);
    const Result after = simulate(parse_scenario(text, "x.toml", own_catalog()));
    CHECK(after.throughput_samples_per_s == row.after.throughput_samples_per_s);
  }
}

TEST_CASE("the newest scenario is the one that advice is on") {
  const Answered slow = answered(kText);
  const Answered fast = answered(kText + "prefetch_batches = 4\n");
  Adviser adviser(own_catalog());
  adviser.begin(slow);
  adviser.begin(fast);
  adviser.finish();
  REQUIRE(adviser.advice().what_if);
  CHECK(adviser.advice().what_if->now.throughput_samples_per_s ==
        fast.result->throughput_samples_per_s);
  adviser.begin(slow);
  adviser.cancel();
  adviser.finish();
  CHECK(!adviser.advice().what_if);
}

TEST_CASE("advice is told in words") {
  WhatIf what_if;
  what_if.tried = 65;
  what_if.no_change = 42;
  what_if.worse = 5;
  what_if.noise = 0.005;
  WhatIfRow row;
  row.change = "2 x b instead of a";
  row.why = "wider";
  row.gain = row.throughput_gain = 0.299;
  row.after.job_gpu_utilization = 0.375;
  row.price_change_USD = 3610;
  row.power_change_W = -20;
  row.gain_per_1000_USD = 0.0828;
  what_if.rows = {row};
  const auto rows = change_rows(what_if);
  CHECK(rows.front().gain == "+29.9 %");
  CHECK(rows.front().busy == "37.5 %");
  CHECK(rows.front().price == "+3,610");
  CHECK(price_in_words(rows.front()) == "+3,610 USD");
  CHECK(price_in_words({"", "", "", "", "not known", "", ""}) == "for an unknown price");
  CHECK(price_in_words({"", "", "", "", "same", "", ""}) == "for the same price");
  CHECK(rows.front().power == "−20");
  CHECK(rows.front().worth == "+8.28 %");
  CHECK(rows.front().why == "wider");
  what_if.now.time_to_result_s = 600;
  what_if.rows[0].after.time_to_result_s = 480;
  what_if.rows[0].throughput_gain = 0.01;
  CHECK(change_rows(what_if).front().why ==
        "the result in 8.0 min instead of 10.0 min; the throughput +1 %; wider");
  CHECK(tried_in_words({{}, what_if, {}, true, ""}) ==
        "65 changes were tried, one at a time; 42 make no difference "
        "beyond the noise of its own two runs; 5 are slower.");
  what_if.worse = what_if.refused = 1;
  CHECK(tried_in_words({{}, what_if, {}, true, ""})
            .ends_with("; 1 is slower; 1 more does not fit this machine or job."));
  const Limiter cores = fact<LimiterCode::cpu_cores>(), drives = fact<LimiterCode::drives>();
  const Elasticity elasticity{
      {{cores, fact<LimiterCode::cores>(64.0), 0.1, 0.002}, {drives, {}, 0.001, 0.003}},
      cores,
      drives,
      2.85};
  const auto levers = lever_rows(elasticity);
  CHECK(levers[0].gain == "+10 %");
  CHECK(levers[0].share == 1);
  CHECK(levers[1].gain == "none");
  CHECK(levers[1].share == 0);
  CHECK(binding_in_words(elasticity) ==
        "More cores would help most, up to 2.85 times the rate; then drives would hold it back.");
}

}  // namespace gpufeed::ui
