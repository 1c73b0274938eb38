// SPDX-License-Identifier: Apache-2.0
// The fastest layout against all layouts simulated one by one.
#include <doctest/doctest.h>

#include <algorithm>

#include "reports/study/best_chance.h"
#include "reports/study/layout_choices.h"
#include "reports/study/recommend.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const char* const kLayouts =
    "scenario = \"scenario.toml\"\nmaximize = \"job_samples_per_s\"\n"
    "layouts = true\n";

/// Four GPUs of a node, so that there are few layouts.
std::string scenario_of_model(const std::string& model, const std::string& precision = "bf16") {
  return "system = \"nvidia-dgx-h100\"\n[workload]\ngpus = 4\nmodel = \"" + model +
         "\"\nprecision = \"" + precision +
         "\"\noptimizer = \"adam\"\nglobal_batch = 8\n[workload.dataset]\ntitle = \"d\"\nsource = "
         "\"t\"\nbasis = \"estimate\"\nsamples = 4000\nsample_size = \"16 kB\"\ndecode_time = \"0 "
         "s\"\n[loader]\ndecode = \"none\"\n";
}

struct LayoutStudy {
  TemporaryFolder folder;

  Choices choices(const std::string& scenario, const std::string& goal = kLayouts) const {
    folder.write("scenario.toml", scenario);
    return choices_of(load_goal(folder.write("goal.toml", goal), own_catalog()), own_catalog(), {},
                      "1");
  }
};

}  // namespace

TEST_CASE("no layout is simulated faster than the one that is recommended") {
  const LayoutStudy study;
  const Choices choices = study.choices(scenario_of_model("llama-3.1-8b"));
  REQUIRE(choices.count() > 20);
  CHECK(choices.layouts_tried > choices.count());
  const Recommendation answer = recommend(choices, {.jobs = 2});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.not_buildable == 0);
  double fastest = 0;
  for (std::int64_t choice = 0; choice < choices.count(); ++choice) {
    CAPTURE(choice);
    const double rate = simulate(scenario_of(choices, choice, 0)).job_samples_per_s;
    CHECK(rate <= choices.most_samples_per_s[static_cast<std::size_t>(choice)] * (1 + 1e-6));
    fastest = std::max(fastest, rate);
  }
  CHECK(answer.chosen.front().job_samples_per_s >= fastest * (1 - answer.noise));
  CHECK(answer.simulated < choices.count());
}

TEST_CASE("rivals of the fastest layout split the model otherwise, and chances add up") {
  const LayoutStudy study;
  const Choices choices = study.choices(scenario_of_model("llama-3.1-8b"));
  const Recommendation answer = recommend(choices, {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  REQUIRE(!answer.rivals.empty());
  double sum = answer.chosen.front().chance_best.value_or(0);
  for (const Choice& rival : answer.rivals) {
    CHECK(rival.job_samples_per_s <= answer.chosen.front().job_samples_per_s * (1 + answer.noise));
    CHECK(choices.split[static_cast<std::size_t>(rival.number)] !=
          choices.split[static_cast<std::size_t>(answer.chosen.front().number)]);
    CHECK(rival.chance_best.value_or(1) <= *answer.chosen.front().chance_best + 0.02);
    sum += rival.chance_best.value_or(0);
  }
  CHECK(sum == doctest::Approx(1));
}

TEST_CASE("of two, the chance to be the best is that of being the faster") {
  Contestant one{100, 0.01, {0.1, -0.05, 0.02}, Mechanism::decoder_step, 0.2, 0.6};
  Contestant other{95, 0.01, {0.05, -0.02, 0.03}, Mechanism::decoder_step, 0.2, 0.6};
  const auto chances = chances_to_be_best({one, other});
  REQUIRE(chances.size() == 2);
  CHECK(chances[0] == doctest::Approx(*chance_in_draws(one, other)).epsilon(0.03));
  other.drawn.clear();
  CHECK(chances_to_be_best({one, other}).empty());
}

TEST_CASE("a layout is a table of what is other than usual") {
  Parallel layout;
  CHECK(toml_table(layout) == "{}");
  layout.tensor = 8;
  layout.shard = Sharding::optimizer;
  layout.micro_batch = 2;
  CHECK(toml_table(layout) == "{ tensor = 8, micro_batch = 2, shard = \"optimizer\" }");
}

TEST_CASE("layouts that nobody can choose are refused with a reason") {
  const LayoutStudy study;
  CHECK(refusal_of([&] {
          study.choices(scenario_of_model("llama-3.1-70b"));
        }).find("layouts fits into the GPUs' memory; take more nodes") != std::string::npos);
  CHECK(refusal_of([&] {
          study.choices(
              scenario_of_model("llama-3.1-8b"),
              std::string(kLayouts) + "axis = [{ path = \"parallel.tensor\", values = [1, 2] }]\n");
        }).find("layouts choose parallel.tensor, which an axis varies; leave one out") !=
        std::string::npos);
  CHECK(refusal_of([&] {
          study.choices(
              "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\ndataset "
              "= \"imagenet-1k\"\nprecision = \"fp16\"\n");
        }).find("layouts are of a language model") != std::string::npos);
}
