// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/requested_machine.h"
#include "sim/base/labels/label_text.h"

#include <doctest/doctest.h>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "ui/model/build/new_machine.h"
#include "ui/model/show/cards.h"

namespace gpufeed::ui {
namespace {

const std::string kServer =
    "[system]\nchassis = \"supermicro-as-8125gs-tnhr\"  # the large one\ncpu = \"2 x "
    "amd-epyc-9454\"\nmemory = \"768 GB\"\ngpu = \"8 x nvidia-h200-sxm5-141gb\"\ndrives = [\"4 x "
    "kioxia-cm7-r-7.68tb\", \"2 x kioxia-cm7-r-3.84tb\"]\n";

}  // namespace

TEST_CASE("what a scenario asks for in a chassis is read from its text, built or not") {
  const auto requested = requested_machine_of(kServer + "nics = \"none\"\n", own_catalog());
  REQUIRE(requested);
  CHECK(requested->chassis == "supermicro-as-8125gs-tnhr");
  CHECK(requested->memory == "768 GB");
  REQUIRE(requested->parts.size() == 4);
  CHECK(requested->parts[0].parts == std::vector<RequestedPart>{{2, "amd-epyc-9454"}});
  CHECK(requested->parts[2].parts ==
        std::vector<RequestedPart>{{4, "kioxia-cm7-r-7.68tb"}, {2, "kioxia-cm7-r-3.84tb"}});
  CHECK(requested->parts[3].parts.empty());
  CHECK(!requested->parts[3].standard);
  CHECK(!requested_machine_of("system = \"nvidia-dgx1-p100\"\n", own_catalog()));
  CHECK(!requested_machine_of("system = [\n", own_catalog()));
}

TEST_CASE("what is left out is what the chassis comes with") {
  const auto requested =
      requested_machine_of("[system]\nchassis = \"nvidia-dgx-h100\"\n", own_catalog());
  REQUIRE(requested);
  for (const auto& parts : requested->parts) CHECK(parts.standard);
  CHECK(requested->parts[1].parts.front().count == 8);
  CHECK(requested->standard_memory);
}

TEST_CASE("other parts go into the text in their place, and comments stay") {
  auto parts = requested_machine_of(kServer, own_catalog())->parts[1];
  parts.parts.front().count = 4;
  const std::string changed = with_parts(kServer, parts);
  CHECK(changed.find("gpu = \"4 x nvidia-h200-sxm5-141gb\"") != std::string::npos);
  CHECK(changed.find("# the large one") != std::string::npos);
  parts.parts.clear();
  CHECK(with_parts(kServer, parts).find("gpu = \"none\"") != std::string::npos);
  CHECK(with_memory(kServer, "1.5 TB").find("memory = \"1.5 TB\"") != std::string::npos);
}

TEST_CASE("a scenario of any chassis of the catalog can be simulated, and says little") {
  const Catalog catalog = own_catalog().remembering();
  for (const auto& name : catalog.names("chassis")) {
    INFO(name);
    const std::string text = scenario_of_chassis(name, catalog);
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') < 20);
    CHECK_NOTHROW(parse_scenario(text, "new.toml", catalog));
  }
}

TEST_CASE("a scenario of a machine that is sold whole can be simulated") {
  const Catalog catalog = own_catalog().remembering();
  for (const auto& name : catalog.names("system")) {
    INFO(name);
    const std::string text = scenario_of_system(name, catalog);
    INFO(text);
    CHECK_NOTHROW(parse_scenario(text, "new.toml", catalog));
  }
}

TEST_CASE("a machine that was discovered becomes a scenario, which loads where it has no GPU") {
  const std::string system =
      "title = \"A machine\"\nsource = \"a test\"\nbasis = \"measured\"\n\n"
      "[[socket]]\nid = \"cpu0\"\nmemory = \"512 GB\"\nmodel = \"amd-epyc-7742\"\n"
      "# [[gpu]]\n# id = \"gpu1\"\n"
      "[[drive]]\nid = \"nvme0\"\nat = \"cpu0\"\nmodel = \"samsung-pm1733-3.84tb\"\n";
  const Scenario loads =
      parse_scenario(scenario_of_found(system, own_catalog()), "", own_catalog());
  CHECK(name_of(loads.workload.kind()) == "loader");
  CHECK(text_of(loads.system->drives.front().id) == "nvme0");
  for (const Card& card : cards_of(simulate(loads))) {  // there is none that could be busy, or wait
    CHECK_MESSAGE(card.title.find("GPU") == std::string::npos, card.title);
    CHECK_MESSAGE(card.detail.find("idle") == std::string::npos, card.detail);
  }
  const Scenario trains = parse_scenario(
      scenario_of_found(
          system + "[[gpu]]\nid = \"gpu0\"\nat = \"cpu0\"\nmodel = \"nvidia-a100-pcie-40gb\"\n",
          own_catalog()),
      "", own_catalog());
  CHECK(name_of(trains.workload.kind()) == "training");
  CHECK(trains.system->gpus.size() == 1);
}

}  // namespace gpufeed::ui
