// SPDX-License-Identifier: Apache-2.0
// What is told of a scenario that names no framework, against the same scenario that does.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// VGG-16 on four L40S over PCIe, whose gradients take long.
Scenario four_l40s(const std::string& more, const std::string& tables = "") {
  return parse_scenario(
      "title = \"t\"\n[system]\nchassis = \"dell-r760xa\"\n"
      "cpu = \"2 x intel-xeon-gold-6548y-plus\"\nmemory = \"512 GB\"\ngpu = \"4 x nvidia-l40s\"\n"
      "drives = \"4 x kioxia-cm7-r-7.68tb\"\n[workload]\nmodel = \"vgg-16\"\n"
      "dataset = \"imagenet-1k\"\nbatch_per_gpu = 32\nsamples = 20000\n" +
          more + "[data]\nat = \"scratch\"\n" + tables,
      "test.toml", own_catalog());
}

std::vector<Assumption> assumed(const Scenario& scenario) { return simulate(scenario).assumptions; }

}  // namespace

TEST_CASE("where no framework is named, what naming PyTorch would change is told") {
  const Scenario none = four_l40s("");
  const Scenario named = four_l40s("framework = \"pytorch\"\n");
  const double gain = undisturbed_step(make_plan(none)) / undisturbed_step(make_plan(named)) - 1;
  REQUIRE(gain > 0.1);
  CHECK(assumed(none) == std::vector{fact<AssumptionCode::no_framework>("pytorch", gain)});
  CHECK(assumed(named).empty());
  CHECK(assumed(four_l40s("gpus = 1\n")).empty());  // nothing is exchanged
  // Whoever says how gradients travel has said it.
  CHECK(assumed(four_l40s("", "[exchange]\noverlap = \"50 %\"\n")).empty());
  CHECK(assumed(four_l40s("", "[exchange]\nalgorithm = \"parameter-server\"\n")).empty());
}
