// SPDX-License-Identifier: Apache-2.0
// A shared store that is made of servers, built in the window.
#include <doctest/doctest.h>

#include <string>

#include "reports/writers/json.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kOfServers = GPUFEED_SOURCE_DIR "/examples";
const std::string kSearchProducts = "search: words of the name, such as micron 7.68";

const std::string kHost =
    "schema = 1\n[system]\nchassis = \"supermicro-as-8125gs-tnhr\"\n"
    "cpu = \"2 x amd-epyc-9454\"\nmemory = \"768 GB\"\n"
    "gpu = \"8 x nvidia-h200-sxm5-141gb\"\ndrives = \"4 x kioxia-cm7-r-7.68tb\"\n"
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nbatch_per_gpu = 64\n"
    "[data]\nat = \"scratch\"\n";

const Store& store_shown(Clicks& hands) { return hands.session().answered()->store.at(0); }

}  // namespace

TEST_CASE("a store of servers is added in four actions, and saved as simulate reads it") {
  Clicks hands(own_catalog(), kOfServers);
  hands.session().start(kHost, "server.toml");
  hands.settle();
  const int before = hands.actions();
  hands.click("Add a store of servers…");
  hands.type(kSearchProducts, "as-1115cs");
  hands.click("supermicro-as-1115cs-tnr");
  CHECK(hands.actions() - before <= 4);
  hands.settle_answered();
  const Store& store = store_shown(hands);
  REQUIRE(store.of_servers);
  CHECK(*store.servers == 12);
  CHECK(store.of_servers->redundancy == "8+2");
  CHECK((*store.server)->drives.size() >= 4);
  CHECK((*store.server)->nics.size() == 1);
  CHECK(text_of(hands.session().answered()->data.at.id) == "store");
  REQUIRE(hands.session().answered()->system->nics.size() == 1);

  hands.type("store servers", "14");
  hands.type("store redundancy", "8+3");
  hands.click("store encrypted");
  hands.click("store encrypted=true");
  hands.type("store compression", "150 %");
  hands.click("more store failed_servers");
  hands.settle_answered();
  const Store& changed = store_shown(hands);
  CHECK(*changed.servers == 14);
  CHECK(changed.of_servers->redundancy == "8+3");
  CHECK(*changed.encrypted);
  CHECK(changed.compression->value == 1.5);
  CHECK(*changed.failed_servers == 1);

  const TemporaryFolder folder;
  const auto file = folder / "saved.toml";
  hands.session().save(file);
  hands.settle_answered();
  Scenario scenario = load_scenario(file, own_catalog());
  scenario.run.timeline = true;
  Result answer = simulate(scenario);
  answer.scenario = to_toml(scenario);
  Result shown = *hands.session().result();
  shown.version.clear();
  CHECK(to_json(shown) == to_json(answer));
}

TEST_CASE("edits of a store of servers make the text that one writes by hand") {
  const std::string store =
      "[store.nas]\nservers = 12\nserver = { chassis = \"supermicro-as-1115cs-tnr\", cpu = "
      "\"amd-epyc-9354p\", memory = \"384 GB\", drives = \"10 x micron-7450-pro-7.68tb\", nics = "
      "\"nvidia-connectx-7-ndr200-200g\" }\nredundancy = \"8+2\"\n";
  const std::string host =
      "system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\nbatch_per_gpu = 64\n[data]\nat = \"nas\"\n";
  Clicks hands(own_catalog(), kOfServers);
  hands.session().start(host + store, "hand.toml");
  hands.settle_answered();
  hands.click("nas software");
  hands.click("nas software=daos");
  hands.type("nas redundancy", "replica 3");
  hands.type("nas drives", "8 x micron-7450-pro-7.68tb");
  hands.settle_answered();
  std::string wanted = host + store;
  wanted.replace(wanted.find("8+2"), 3, "replica 3");
  wanted.replace(wanted.find("10 x"), 4, "8 x");
  wanted += "software = \"daos\"\n";
  CHECK(hands.session().text() == wanted);
}

TEST_CASE("what is refused of servers stands beside its field, and goes when it is mended") {
  Clicks hands(own_catalog(), kOfServers);
  hands.session().open(kOfServers + "/33_store_from_servers/scenario.toml");
  hands.settle_answered();
  hands.type("nas failed_servers", "2");
  hands.settle();
  CHECK(hands.session().standing() == Standing::wrong);
  CHECK(hands.shows("problem of nas failed_servers"));
  hands.type("nas min_size", "8");
  hands.settle_answered();
  CHECK_FALSE(hands.shows("problem of nas failed_servers"));
  hands.type("nas redundancy", "raid6");
  hands.settle();
  CHECK(hands.shows("problem of nas redundancy"));
}

}  // namespace gpufeed::ui
