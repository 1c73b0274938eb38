// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/validation.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

Validation validation_of(const std::string& text) {
  return parse_validation(text, "cases/v.toml", own_catalog());
}

std::string refused(const std::string& text) {
  return refusal_of([&] { validation_of(text); });
}

constexpr const char* kHead = "title = 'T'\nsource = 'S'\nmechanism = 'M'\n";

}  // namespace

TEST_CASE("a case and its rows take over what the file and a figure say") {
  const Validation file =
      validation_of(std::string(kHead) +
                    "scenario = '../base.toml'\nset = ['run.seed=1']\n"
                    "role = 'fit'\nbaseline = { kind = 'constant' }\n"
                    "[figure.busy]\nkey = 'accelerator_utilization'\n"
                    "unit = '%'\nscore = 'points'\nmechanism = 'Busy'\n"
                    "[[case]]\ntitle = 'one'\nset = ['workload.gpus=2']\n"
                    "cause = 'C'\nrole = 'predict'\n"
                    "measured = [{ key = 'busy', value = 92 },\n"
                    " { key = 'step_s', value = 3.5, unit = 'ms', role = 'fit', "
                    "baseline = { kind = 'linear', value = 2, times = 4 } }]"
                    "\n[[case]]\ntitle = 'two'\nscenario = 'own.toml'\n"
                    "source = 'S2'\nmeasured = []\n");
  CHECK(file.scenario.path == "base.toml");
  REQUIRE(file.cases.size() == 2);
  const ValidationCase& one = file.cases[0];
  CHECK(one.source == "S");
  CHECK(one.role == CaseRole::predict);
  CHECK(one.set == std::vector<std::string>{"run.seed=1", "workload.gpus=2"});
  REQUIRE(one.measured.size() == 2);
  CHECK(one.measured[0].key == "accelerator_utilization");
  CHECK(one.measured[0].unit == "%");
  CHECK(one.measured[0].score == ErrorScore::points);
  CHECK(one.measured[0].mechanism == "Busy");
  CHECK(one.measured[0].baseline->kind == BaselineKind::constant);
  CHECK(one.measured[0].cause == "C");
  CHECK(one.measured[0].role == CaseRole::predict);
  CHECK(one.measured[1].role == CaseRole::fit);
  CHECK(one.measured[1].mechanism == "M");
  CHECK(one.measured[1].baseline->times == 4);
  CHECK(file.cases[1].role == CaseRole::fit);
  CHECK(file.cases[1].source == "S2");
  CHECK(file.cases[1].scenario.path == "cases/own.toml");
}

TEST_CASE("a file may be a single case, with a scenario of its own") {
  const Validation file = validation_of(std::string(kHead) +
                                        "[[measured]]\nkey = 'epoch_s'\nvalue = 60\nunit = 's'\n"
                                        "[scenario]\nsystem = 'nvidia-dgx1-p100'\n");
  CHECK(file.has_own_scenario);
  REQUIRE(file.cases.size() == 1);
  CHECK(file.cases[0].title == "T");
  CHECK(file.cases[0].measured[0].unit == "s");
}

TEST_CASE("what is wrong with a file of cases is told with its place") {
  CHECK(refused("title = 'T'\nsource = 'S'\nscenaro = 'a.toml'\n") ==
        "cases/v.toml:3:1: error: unknown key \"scenaro\"; did you mean \"scenario\"?\n");
  CHECK(refused("title = 'T'\nsource = 'S'\n[scenario]\n") ==
        "cases/v.toml:1:1: error: there is no [[case]] and no [[measured]]\n");
  CHECK(refused(std::string(kHead) + "[[case]]\ntitle = 'a'\nmeasured = []\n") ==
        "cases/v.toml:4:1: error: a: there is no scenario, neither here nor for the file\n");
  const auto row = [](const std::string& keys) {
    return refused(
        "title = 'T'\nsource = 'S'\nscenario = 'a.toml'\n[[case]]\ntitle = 'a'\n"
        "measured = [{ key = 'step_s', " +
        keys + " }]\n");
  };
  CHECK(row("value = 'fast', mechanism = 'M'") ==
        "cases/v.toml:6:39: error: case[0].measured[0].value must be a number; found \"fast\"\n");
  CHECK(row("value = 1") == "cases/v.toml:6:13: error: a: step_s belongs to no mechanism\n");
  CHECK(row("value = 0, mechanism = 'M'") ==
        "cases/v.toml:6:13: error: a: step_s: a relative error needs a value above 0\n");
  CHECK(row("value = 1, mechanism = 'M', unit = 'GBps'") ==
        "cases/v.toml:6:13: error: a: step_s: unknown unit \"GBps\"; did you mean \"GB/s\"?\n");
  CHECK(row("value = 1, mechanism = 'M', score = 'points', baseline = { kind = 'lru' }") ==
        "cases/v.toml:6:88: error: a lru baseline needs a formula: where its value is from\n"
        "cases/v.toml:6:88: error: a lru baseline needs a value\n");
  CHECK(row("value = 1, mechanism = 'M', baseline = { kind = 'constant', value = 3 }") ==
        "cases/v.toml:6:70: error: a constant baseline takes no value: it is the mean of other "
        "rows\n");
}

TEST_CASE("a search for the largest value and the row that is held against it need each other") {
  const auto one = [](const std::string& keys) {
    return refused(
        "title = 'T'\nsource = 'S'\nmechanism = 'M'\nscenario = 'a.toml'\n[[case]]\n"
        "title = 'a'\n" +
        keys);
  };
  CHECK(one("measured = [{ key = 'largest', value = 4, score = 'count' }]\n") ==
        "cases/v.toml:7:13: error: a: \"largest\" needs the case's key largest, such as { path = "
        "\"workload.gpus\", up_to = 64 }\n");
  CHECK(one("largest = { path = 'workload.gpus', up_to = 8 }\n"
            "measured = [{ key = 'step_s', value = 4 }]\n") ==
        "cases/v.toml:7:11: error: a: no row of the case has the key \"largest\"\n");
  CHECK(one("largest = { up_to = 1 }\nmeasured = []\n") ==
        "cases/v.toml:7:11: error: case[0].largest: \"path\" is missing; it must be the path of "
        "a key, in quotes\n"
        "cases/v.toml:7:21: error: case[0].largest.up_to must be a whole number from 2 to 1000000; "
        "found 1\n");
}

TEST_CASE("what is wrong with bars is told with its place") {
  const auto wrong = [](const std::string& text) {
    return refusal_of([&] { parse_bars(text, "bars.toml", own_catalog()); });
  };
  const auto bar = [&](const std::string& keys) {
    return wrong("[[bar]]\nmechanism = 'M'\n" + keys + "\n");
  };
  CHECK(bar("hits = 80\nmedian_percent = 2.5") == "accepted");
  CHECK(bar("hit = 80") ==
        "bars.toml:3:1: error: bar[0]: unknown key \"hit\"; did you mean \"hits\"?\n");
  CHECK(bar("hits = 101") ==
        "bars.toml:1:1: error: M: hits is a share in percent, at most 100; found 101\n");
  CHECK(bar("p95 = -1") == "bars.toml:1:1: error: M: p95 must not be below 0; found -1\n");
  CHECK(bar("hits = nan") == "bars.toml:3:8: error: bar[0].hits must be a number; found nan\n");
  CHECK(bar("mean = '5 %'") ==
        "bars.toml:3:8: error: bar[0].mean must be a number; found \"5 %\"\n");
  CHECK(bar("") ==
        "bars.toml:1:1: error: M: the bar says nothing; give one of mean, p95, median, "
        "median_percent and hits\n");
  CHECK(bar("mean = 1\n[[bar]]\nmechanism = 'M'\nmean = 2") ==
        "bars.toml:4:1: error: M: there are two bars for this mechanism\n");
}

TEST_CASE("all rows of a mechanism count errors alike, and bars are those of mechanisms") {
  const auto file = [](const std::string& score) {
    return validation_of(std::string(kHead) +
                         "scenario = 'a.toml'\n[[case]]\ntitle = 'a'\n"
                         "measured = [{ key = 'step_s', value = 1, score = '" +
                         score + "' }]\n");
  };
  const auto refused_with = [](const std::vector<Validation>& files, const std::string& bars) {
    return refusal_of(
        [&] { check_mechanisms(files, parse_bars(bars, "bars.toml", own_catalog())); });
  };
  const std::string hits = "[[bar]]\nmechanism = 'M'\nhits = 80\n";
  CHECK(refused_with({file("count")}, hits) == "accepted");
  CHECK(refused_with({file("points")}, hits) ==
        "bars.toml:1:1: error: M: hits and median_percent are for counts; its errors are points\n");
  CHECK(refused_with({file("count"), file("relative")}, "") ==
        "cases/v.toml:7:13: error: a: the mechanism \"M\" counts errors as count elsewhere, as "
        "relative here\n");
  CHECK(refused_with({file("count")}, "[[bar]]\nmechanism = 'N'\nmean = 1\n") ==
        "bars.toml:1:1: error: no row is of the mechanism \"N\"; known: M\n");
}

TEST_CASE("an inline scenario is loaded from its own table, with the lines of the file") {
  const Validation good = load_validation(
      GPUFEED_SOURCE_DIR "/tests/validation/cases/mlperf_storage/micron_9400.toml", own_catalog());
  const ValidationCase& one = good.cases.front();
  const Scenario scenario = scenario_of(good, one, own_catalog()).load(overrides_of(one));
  CHECK(text_of(scenario.system->drives.front().id) == "nvme0");
  CHECK(scenario.workload.is<kind::Emulated>());
}
