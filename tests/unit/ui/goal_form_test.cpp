// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/goal_form.h"

#include <doctest/doctest.h>

#include "reports/study/recommend.h"
#include "sim/load/scenario_source.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "ui/model/decide/explainer.h"
#include "ui/model/decide/finder.h"
#include "ui/model/decide/seen_form.h"

namespace gpufeed::ui {
namespace {

constexpr const char* kMachine =
    R"(system = { chassis = "supermicro-as-2125hs-tnr", cpu = "2 x amd-epyc-9354", memory = "384 GB", gpu = "2 x nvidia-a10", drives = "1 x micron-5300-pro-3.84tb" }
workload = { model = "unet3d", dataset = "mlperf-unet3d", dataset_samples = 20000, precision = "fp16", batch_per_gpu = 4 }
)";

Parameter key(const std::string& path, const std::string& now) {
  return {Varies::key, path, "", {}, "", now, {}};
}

AxisForm listed(const std::string& path, const std::string& list) {
  AxisForm form;
  form.parameter = key(path, "");
  form.list = list;
  return form;
}

GoalForm drives_or_workers() {
  GoalForm form;
  form.axes = {listed("system.drives", "1..4 x micron-5300-pro-3.84tb"),
               listed("loader.workers_per_gpu", "2, 8")};
  return form;
}

}  // namespace

TEST_CASE("a form becomes the file that gpufeed recommend takes") {
  GoalForm form = drives_or_workers();
  form.price = "120,000 USD";
  form.hours = "1.5";
  CHECK(goal_text(form, "a.toml") ==
        R"(scenario = "a.toml"
minimize = "price_USD"
constraint = ["job_gpu_utilization >= 90 %", "time_to_result_s <= 5400", "price_USD <= 120000"]
[[axis]]
path = "system.drives"
values = ["1..4 x micron-5300-pro-3.84tb"]
[[axis]]
path = "loader.workers_per_gpu"
values = [2, 8]
)");
  form.busy = " ";
  form.price = form.hours = "";
  form.aim = Aim::front;
  form.axes = {listed("loader.workers_per_gpu", "")};
  form.axes[0].range = true;
  form.axes[0].from = "2";
  form.axes[0].to = "16";
  form.axes[0].count = "4";
  form.axes[0].geometric = true;
  CHECK(goal_text(form, "a.toml") ==
        R"(scenario = "a.toml"
front = ["price_USD", "job_samples_per_s"]
[[axis]]
path = "loader.workers_per_gpu"
range = { from = 2, to = 16, count = 4, spacing = "geometric" }
)");
  const Goal goal = parse_goal(goal_text(form, "a.toml"), "the goal", own_catalog());
  CHECK(goal.axes.front().values.size() == 4);
}

TEST_CASE("what is not filled in as it must be is told, all at once") {
  GoalForm form;
  form.busy = "high";
  form.price = "-5";
  CHECK_THROWS_WITH_AS(goal_text(form, "a.toml"),
                       "the goal: error: GPU utilization: \"high\" is no number, such as \"90\" or "
                       "\"120,000\"\n"
                       "the goal: error: Price: \"-5\" is no number, such as \"90\" or "
                       "\"120,000\"\n"
                       "the goal: error: tick first what may be chosen\n",
                       InputError);
}

TEST_CASE("parts of a chassis can be chosen, drives and cards by their number") {
  const auto requested = requested_machine_of(kMachine, own_catalog());
  REQUIRE(requested);
  Result result;
  const Scenario scenario = parse_scenario(kMachine, "a.toml", own_catalog());
  const auto all = choosable(requested, scenario, result);
  const auto found = [&](const std::string& path) {
    const auto one = std::ranges::find(all, path, &Parameter::path);
    REQUIRE(one != all.end());
    return suggested_choice(*one).list;
  };
  CHECK(found("system.drives") == "1..8 x micron-5300-pro-3.84tb");
  CHECK(found("system.gpu") == "2 x nvidia-a10");
  CHECK(found("system.memory") == "384 GB");
  CHECK(kind_of_parts(key("system.nics", "")) == "nic");
  CHECK(kind_of_parts(key("system.memory", "")).empty());
  CHECK(with_product_added("1..8 x a, 2 x b", "c") == "1..8 x a, 2 x b, 2 x c");
  CHECK(with_product_added("1..8 x a", "c") == "1..8 x a, 1..8 x c");
  CHECK(with_product_added("a", "c") == "a, 1 x c");
  CHECK(with_product_added(" ", "c") == "1 x c");
}

TEST_CASE("the finder says what the search itself does, and its choice can be loaded") {
  Finder finder(own_catalog());
  CHECK(!finder.running());
  GoalForm form = drives_or_workers();
  form.busy = "10";
  finder.start(goal_text(form, "a.toml"), kMachine, "a.toml");
  CHECK(finder.running());
  finder.finish();
  CHECK(!finder.running());
  REQUIRE_MESSAGE(finder.answer(), finder.problem());

  const Catalog catalog = own_catalog().remembering();
  const Choices choices = choices_of(parse_goal(goal_text(form, "a.toml"), "the goal", catalog),
                                     ScenarioSource(kMachine, "a.toml", catalog), catalog);
  const Recommendation same = recommend(choices, {});
  REQUIRE(finder.answer()->chosen.size() == 1);
  REQUIRE(same.chosen.size() == 1);
  const gpufeed::Choice& best = finder.answer()->chosen.front();
  CHECK(best.number == same.chosen.front().number);
  CHECK(best.job_samples_per_s == same.chosen.front().job_samples_per_s);
  CHECK(finder.answer()->choices == 8);

  const std::string loaded = with_choice(finder.text(), best);
  CHECK(loaded != kMachine);
  const Scenario chosen = parse_scenario(loaded, "a.toml", own_catalog());
  CHECK(static_cast<std::int64_t>(chosen.system->drives.size()) == best.number / 2 + 1);
}

TEST_CASE("a goal that cannot be searched says why; a search can be ended") {
  Finder finder(own_catalog());
  GoalForm form;
  form.axes = {listed("loader.workers", "2")};
  finder.start(goal_text(form, "a.toml"), kMachine, "a.toml");
  finder.finish();
  CHECK(!finder.answer());
  CHECK(finder.problem().find("workers_per_gpu") != std::string::npos);
  finder.start(goal_text(drives_or_workers(), "a.toml"), kMachine, "a.toml");
  finder.cancel();
  CHECK(!finder.running());
  CHECK(!finder.poll());
  CHECK(finder.problem().empty());
}

TEST_CASE("what was seen becomes a file of observations, bare numbers with their unit") {
  auto fields = seen_fields();
  REQUIRE(fields.size() == 7);
  CHECK(observed_text(fields).empty());
  for (SeenField& one : fields) {
    CHECK(!one.help.empty());
    if (one.key == "gpu_utilization") one.value = "55", one.spread = "3 %";
    if (one.key == "samples_per_s") one.value = "12,000";
    if (one.key == "cores_busy") one.value = "12.5";
    if (one.key == "read_bandwidth") one.value = "900 MB/s";
  }
  CHECK(observed_text(fields) ==
        "[gpu_utilization]\nvalue = \"55 %\"\nspread = \"3 %\"\n"
        "[samples_per_s]\nvalue = \"12000 /s\"\n"
        "[read_bandwidth]\nvalue = \"900 MB/s\"\n"
        "[cores_busy]\nvalue = 12.5\n");
}

TEST_CASE("the explainer finds that drives are slower than the scenario says") {
  const auto scenario =
      std::make_shared<const Scenario>(parse_scenario(kMachine, "a.toml", own_catalog()));
  Explainer explainer(own_catalog());
  explainer.start("[samples_per_s]\nvalue = \"2 /s\"\n", scenario);
  explainer.finish();
  REQUIRE_MESSAGE(explainer.answer(), explainer.problem());
  CHECK(!explainer.answer()->fits);
  REQUIRE(!explainer.answer()->causes.empty());
  const Cause& drive = explainer.answer()->causes.front();
  CHECK(drive.mechanism == "what storage delivers");
  CHECK(drive.explains);
  constexpr double kRead_Bps = 540e6, kSample_B = 146.601e6;  // of the catalog's entries
  CHECK(drive.factor == doctest::Approx(2 / (kRead_Bps / kSample_B)).epsilon(0.03));
  explainer.start("", scenario);
  explainer.finish();
  CHECK(!explainer.answer());
  CHECK(!explainer.problem().empty());
}

}  // namespace gpufeed::ui
