// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

Scenario with_system(const std::string& system, const std::string& set) {
  return parse_scenario("schema = 1\nsystem = \"" + system +
                            "\"\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
                        "test.toml", own_catalog(), {parse_override(set)});
}

}  // namespace

TEST_CASE("an override goes into a system of the catalog and into one that a path names") {
  const std::string file = GPUFEED_SOURCE_DIR "/hw_catalog/system/nvidia-dgx1-p100.toml";
  for (const auto& system : {std::string("nvidia-dgx1-p100"), file}) {
    CAPTURE(system);
    const Scenario scenario = with_system(system, "system.socket_link[0].count=1");
    CHECK(scenario.system->socket_links.front().count == 1);
    CHECK(scenario.system->gpus.size() == 8);
  }
  CHECK(refusal_of([] { with_system("no/such.toml", "system.gpu[gpu0].at=cpu1"); }) ==
        "test.toml:2:10: error: system: there is no file \"no/such.toml\"\n");
}
