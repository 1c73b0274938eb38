// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "reports/writers/json.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/clicks.h"
#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

const std::string kOfProject = GPUFEED_SOURCE_DIR "/examples";
const std::string kProductSearch = "search: words of the name, such as micron 7.68";

const std::string kServer =
    "schema = 1\n[system]\nchassis = \"supermicro-as-8125gs-tnhr\"\n"
    "cpu = \"2 x amd-epyc-9454\"\nmemory = \"768 GB\"\n"
    "gpu = \"8 x nvidia-h200-sxm5-141gb\"\ndrives = \"4 x kioxia-cm7-r-7.68tb\"\n"
    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nbatch_per_gpu = 64\n"
    "[data]\nat = \"scratch\"\n";

/// What is saved answers by the command line as the window says.
void check_saved(Clicks& hands) {
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

const PartRow& row_of(const Clicks& hands, const std::string& name) {
  const auto& rows = const_cast<Clicks&>(hands).app().view().rows;
  const auto found = std::ranges::find(rows, name, &PartRow::name);
  REQUIRE(found != rows.end());
  return *found;
}

}  // namespace

TEST_CASE("a shared store is added in four actions, with its protocol and a card to reach it") {
  Clicks hands(own_catalog(), kOfProject);
  hands.session().start(kServer, "server.toml");
  hands.settle();
  const int before = hands.actions();
  hands.click("Add a shared store…");
  hands.type(kProductSearch, "vast eight");
  hands.click("vast-ceres-8-cnodes");
  CHECK(hands.actions() - before <= 4);
  hands.settle_answered();
  const Scenario& scenario = *hands.session().answered();
  REQUIRE(scenario.store.size() == 1);
  const Store& store = scenario.store.begin()->second;
  CHECK(store.model.name == "vast-ceres-8-cnodes");
  REQUIRE(store.protocol);
  CHECK(text_of(scenario.data.at.id) == scenario.store.begin()->first);
  REQUIRE(scenario.system->nics.size() == 1);
  CHECK(scenario.system->nics.front().model->port_bandwidth.value >= 50e9);  // it reads 80 GB/s
  check_saved(hands);

  hands.click("protocol of store");
  hands.click("nfs-rdma");
  hands.settle();
  CHECK(hands.session().answered()->store.begin()->second.protocol->name == "nfs-rdma");
  hands.click("protocol of store");
  hands.click("none");
  hands.settle();
  CHECK(hands.session().answered()->client_of(0) == StoreClient::Word::none);
  hands.click("protocol of store");
  hands.click("usual client");
  hands.settle();
  CHECK(hands.session().answered()->client_of(0) == StoreClient::Word::usual);
  CHECK(hands.session().text().find("protocol") == std::string::npos);
  hands.click("leave out store store");
  hands.settle_answered();
  CHECK(hands.session().answered()->store.empty());
  CHECK(text_of(hands.session().answered()->data.at.id) == "scratch");
}

TEST_CASE("a second store gets a name of its own and leaves the data where they are") {
  Clicks hands(own_catalog(), kOfProject);
  hands.session().open(kOfProject + "/01_local_or_shared/scenario.toml");
  hands.settle();
  const auto before = hands.session().answered();
  hands.click("Add a shared store…");
  hands.type(kProductSearch, "ai400x2 turbo");
  hands.click("ddn-ai400x2-turbo");
  hands.settle();
  CHECK(hands.session().refusal() == "");
  for (const auto& problem : hands.session().problems()) MESSAGE(shown_line(problem));
  REQUIRE(hands.session().standing() == Standing::current);
  CHECK(hands.session().answered()->store.size() == before->store.size() + 1);
  CHECK(hands.session().answered()->data.at.id == before->data.at.id);
}

TEST_CASE("data move to the store that they were copied in from by one choice") {
  Clicks hands(own_catalog(), kOfProject);
  hands.session().open(kOfProject + "/01_local_or_shared/scenario.toml");
  hands.settle();
  hands.click("data.at");
  hands.click("flashblade");
  hands.settle();
  for (const auto& problem : hands.session().problems()) MESSAGE(shown_line(problem));
  CHECK(hands.session().standing() == Standing::current);
}

TEST_CASE("a click on a price takes a quote, of any part, in two actions") {
  Clicks hands(own_catalog(), kOfProject);
  hands.session().start(kServer, "server.toml");
  hands.settle();
  struct Quoted {
    const char* row;
    const char* typed;
    double price;
  };
  for (const Quoted& one :
       {Quoted{"chassis", "21,500", 21500}, Quoted{"memory", "610 USD", 610},
        Quoted{"gpu 0", "28000", 28000}, Quoted{"cpu 0", "$4,999.50", 4999.5}}) {
    CAPTURE(one.row);
    const double before = *hands.session().result()->price_USD;
    const PartRow row = row_of(hands, one.row);
    REQUIRE(row.price_USD);
    CHECK(row.mark != PriceMark::quote);
    const int actions = hands.actions();
    hands.click("price of " + std::string(one.row));
    hands.type("quote for " + std::string(one.row), one.typed);
    CHECK(hands.actions() - actions == 2);
    hands.settle_answered();
    CHECK(row_of(hands, one.row).mark == PriceMark::quote);
    CHECK(*row_of(hands, one.row).price_USD == one.price);
    CHECK(*hands.session().result()->price_USD ==
          doctest::Approx(before + row.count * (one.price - *row.price_USD)));
  }
  check_saved(hands);
  hands.click("price of chassis");
  hands.click("Take the catalog's price");
  hands.settle();
  CHECK(row_of(hands, "chassis").mark == PriceMark::estimate);
}

TEST_CASE("the rows of parts add up to the total") {
  Clicks hands(own_catalog(), kOfProject);
  for (const char* example :
       {"/01_local_or_shared/scenario.toml", "/22_two_desktop_cards/scenario.toml"}) {
    hands.session().open(kOfProject + example);
    hands.settle();
    const Result& result = *hands.session().result();
    double sum = 0;
    for (const PartRow& row : hands.app().view().rows)
      sum += row.price_USD ? *row.price_USD * row.count : 0;
    CHECK(sum == doctest::Approx(result.price_USD.value_or(0)));
  }
}

TEST_CASE("who searches for H200 gets a server with H200s") {
  Clicks hands(own_catalog(), kOfProject);
  hands.settle();
  hands.click("New…");
  hands.type(kProductSearch, "h200 821ge");
  hands.click("supermicro-sys-821ge-tnhr + nvidia-h200-sxm5-141gb");
  hands.settle_answered();
  const auto& gpus = hands.session().answered()->system->gpus;
  CHECK(gpus.size() == 8);
  for (const auto& gpu : gpus) CHECK(gpu.model.name == "nvidia-h200-sxm5-141gb");
}

TEST_CASE("a board for modules is filled with modules, and never with cards") {
  Clicks hands(own_catalog(), kOfProject);
  hands.settle();
  hands.click("New…");
  hands.type(kProductSearch, "821ge");
  hands.click("supermicro-sys-821ge-tnhr");
  hands.settle_answered();
  const auto& gpus = hands.session().answered()->system->gpus;
  CHECK(gpus.size() == 8);
  CHECK(gpus.front().model.name.find("sxm") != std::string::npos);
}

TEST_CASE("rows of parts keep their height whatever stands in them") {
  Clicks hands(own_catalog(), kOfProject);
  hands.session().start(kServer, "server.toml");
  hands.settle();
  const float before = hands.at("total").from.y;
  const float first = hands.at("price of chassis").from.y;
  const float second = hands.at("price of cpu 0").from.y;
  hands.type("count gpu 0", "4");
  CHECK(hands.at("total").from.y == before);  // while it is computed
  hands.settle();
  CHECK(hands.at("total").from.y == before);
  CHECK(hands.at("price of memory").from.y - second == second - first);
}

TEST_CASE("the first letter typed into a dialog that was just opened counts") {
  Clicks hands(own_catalog(), kOfProject);
  hands.settle();
  hands.app().carry_out(Command::build);
  for (const char* letters : {"h", "2", "0", "0"}) {
    ImGui::GetIO().AddInputCharactersUTF8(letters);
    hands.frames();
  }
  hands.frames(4);
  CHECK(hands.app().view().search == "h200");
}

}  // namespace gpufeed::ui
