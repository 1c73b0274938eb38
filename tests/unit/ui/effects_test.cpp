// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/effects.h"

#include <doctest/doctest.h>

#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

namespace gpufeed::ui {
namespace {

const std::string kText =
    "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
    "\"imagenet-1k\"\nsamples = 100000\n";

std::string with_nodes(const std::string& nodes) { return with_value(kText, "nodes", nodes); }

}  // namespace

TEST_CASE("an effect is what the choice turns out to be") {
  Effects effects(own_catalog());
  effects.begin({"1", "2", "70000"}, with_nodes, "x.toml");
  effects.want({"1", "2", "5000"});
  effects.finish();
  for (const char* nodes : {"1", "2"}) {
    const auto effect = effects.of(nodes);
    REQUIRE(effect);
    CHECK(effect->answered);
    const Result result = simulate(parse_scenario(with_nodes(nodes), "x.toml", own_catalog()));
    CHECK(effect->price_USD == result.price_USD);
    CHECK(effect->samples_per_s == result.job_samples_per_s);
    CHECK(effect->busy == result.job_gpu_utilization);
    CHECK(effect->time_to_result_s == result.time_to_result_s);
  }
  const auto wrong = effects.of("70000");
  REQUIRE(wrong);
  CHECK(!wrong->answered);
  CHECK(wrong->problem == "Machines must be a whole number from 1 to 65536; found 70000");
}

TEST_CASE("choices out of sight are checked, not answered; what was canceled is forgotten") {
  Effects effects(own_catalog());
  effects.begin({"1", "2"}, with_nodes, "x.toml");
  effects.want({"2"});
  effects.finish();
  CHECK(!effects.of("1")->answered);
  CHECK(effects.of("2")->answered);
  effects.cancel();
  effects.finish();
  CHECK(!effects.of("2"));
}

TEST_CASE("changes are told with their sign") {
  Effect effect;
  effect.answered = true;
  effect.price_USD = 1200;
  effect.samples_per_s = 110;
  effect.without_price = "nas";
  CHECK(price_change(effect, 1000, "nas") == "+200");
  CHECK(price_change(effect, 1500, "nas") == "−300");
  CHECK(price_change(effect, 1200, "nas") == "same");
  CHECK(price_change(effect, {}, "nas").empty());
  CHECK(price_change(effect, 1000, "") == "not known");
  CHECK(rate_change(effect, 100) == "+10.0 %");
  CHECK(rate_change(effect, 220) == "−50.0 %");
  CHECK(rate_change(effect, 110) == "same");
  CHECK(rate_change(effect, 0).empty());
}

}  // namespace gpufeed::ui
