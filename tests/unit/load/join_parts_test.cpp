// SPDX-License-Identifier: Apache-2.0
#include "sim/load/check/join_parts.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Scenario with_store(const std::string& name) {
  return parse_scenario(
      fmt::format("title = 't'\nsystem = 'nvidia-dgx1-p100'\n[workload]\nmodel = 'resnet-50'\n"
                  "dataset = 'imagenet-1k'\nprecision = 'fp32'\nbatch_per_gpu = 32\n"
                  "[data]\nat = \"{0}\"\n[store.'{0}']\nmodel = 'pure-flashblade-15-blade'\n"
                  "[store.other]\nmodel = 'pure-flashblade-15-blade'\n",
                  name),
      "test.toml", own_catalog());
}

}  // namespace

TEST_CASE("a store may be called like a part of the machine, and is meant then") {
  for (const auto* name : {"nas", "cpu0", "gpu0", "ssd0", "ib0", "plx0", "scratch", "nas.lab",
                           "between nodes", "cpu0 memory", "a -> b"}) {
    CAPTURE(name);
    const Scenario scenario = with_store(name);
    CHECK(scenario.data.at.part == PartId{PartKind::store, 0});
    CHECK(scenario.store.name(0) == name);
    for (const auto& gpu : scenario.system->gpus)
      CHECK((gpu.at.is(PartKind::socket) || gpu.at.is(PartKind::pcie_switch)));
  }
}

TEST_CASE("stores stand in the order of the file") {
  const Scenario scenario = with_store("z");
  CHECK(scenario.store.name(0) == "z");
  CHECK(scenario.store.name(1) == "other");
}
