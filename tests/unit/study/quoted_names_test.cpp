// SPDX-License-Identifier: Apache-2.0
// A store may be called as its user likes: every door takes and gives the path of its keys.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/study/anchor.h"
#include "reports/study/change.h"
#include "reports/study/open_numbers.h"
#include "sim/load/key_values.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/scenario_source.h"
#include "sim/load/study/sweep.h"
#include "sim/load/text/patch.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/malformed.h"

using namespace gpufeed;

namespace {

const Names kStores{"nas", "nas.lab", "my nas", "it's \"fast\"", "größe", "[0]", "a=b"};

/// \param keys  of the store
std::string scenario_with(const std::string& store, const std::string& keys = "") {
  const std::string name = "store." + toml_string(store);
  return "title = 't'\nsystem = 'nvidia-dgx1-p100'\n[" + name + "]\n" + keys + "[" + name +
         ".model]\ntitle = 's'\nsource = 's'\nbasis = 'datasheet'\ncapacity = '100 TB'\n"
         "read_rate = '1 MIOPS'\nread_latency = '300 us'\nread_bandwidth = '2 GB/s' # of all\n"
         "[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-200kb-10m'\n[data]\nat = " +
         toml_string(store) + "\n";
}

/// Of its product.
KeyPath bandwidth_of(const std::string& store) {
  return KeyPath("store") / store / "model" / "read_bandwidth";
}

Scenario loaded(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "s.toml", own_catalog(), overrides);
}

double rate_in(const Scenario& scenario) {
  return scenario.store.at(0).model->read_bandwidth.value;
}

}  // namespace

TEST_CASE("--set reaches the product of a store, whatever the store is called") {
  for (const auto& store : kStores) {
    CAPTURE(store);
    const std::string set = text(bandwidth_of(store)) + "=3 GB/s";
    const Scenario scenario = loaded(scenario_with(store), {set});
    CHECK(rate_in(scenario) == approx(3e9));
    CHECK(scenario.set_within == Names{set});
    const std::string told = to_toml(scenario);
    CHECK(to_toml(loaded(told, {set})) == told);
    CHECK(key_values(told).contains("store." + key_text(store) + ".model.capacity"));
  }
}

TEST_CASE("--set adds a store of any name, and messages name it as --set takes it") {
  const std::string text = malformed::kSystem + malformed::kWorkload;
  CHECK(loaded(text, {"store.\"nas.lab\".model=pure-flashblade-15-blade", "data.at=nas.lab"})
            .store.name(0) == "nas.lab");
  CHECK(malformed::error_of(text, {"store.\"nas.lab\".blades=3"}) ==
        "--set store.\"nas.lab\".blades=3: error: there is no store \"nas.lab\"; --set "
        "store.\"nas.lab\".model=NAME adds one\n");
  const std::string placed = text + "[data]\nat = \"scratch\"\n[store.\"nas.lab\"]\n";
  CHECK(
      malformed::error_of(placed + "model = \"pure-flashblade-15-blade\"\nblade = 3\n") ==
      "bad.toml:9:1: error: store.\"nas.lab\": unknown key \"blade\"; did you mean \"blades\"?\n");
  CHECK(malformed::error_of(placed + "model = \"pure-flashblade-15\"\n") ==
        "bad.toml:8:9: error: store.\"nas.lab\".model: no array \"pure-flashblade-15\" in the "
        "catalog; did you mean \"pure-flashblade-15-blade\"?\n");
}

TEST_CASE("an axis varies a key of a store, whatever the store is called") {
  for (const auto& store : kStores) {
    CAPTURE(store);
    const Sweep sweep = parse_sweep(
        "scenario = 's.toml'\n[[axis]]\npath = " + toml_string(text(bandwidth_of(store))) +
            "\nvalues = ['1 GB/s', '2 GB/s']\n",
        "sweep.toml", own_catalog());
    CHECK(sweep.axes.front().path == bandwidth_of(store));
    CHECK(sweep.axes.front().name == text(bandwidth_of(store)));
    const ScenarioSource source(scenario_with(store), "s.toml", own_catalog());
    CHECK(rate_in(source.load({{sweep.axes.front().path, "\"1 GB/s\"", "axis 1"}})) == approx(1e9));
  }
}

TEST_CASE("an axis that is no path is refused where it stands") {
  CHECK(refusal_of([] {
          parse_sweep(
              "scenario = 's.toml'\n[[axis]]\npath = 'store.\"nas.lab.model'\n"
              "values = [1]\n",
              "sweep.toml", own_catalog());
        }).starts_with("sweep.toml:3:8: error: \"store.\"nas.lab.model\" is not a path such as"));
}

TEST_CASE("an edit of a text reaches the keys of a store, whatever the store is called") {
  for (const auto& store : kStores) {
    CAPTURE(store);
    const std::string before = scenario_with(store);
    const std::string after = with_value(before, bandwidth_of(store), "'3 GB/s'");
    CHECK(rate_in(loaded(after)) == approx(3e9));
    CHECK(after.find("# of all") != std::string::npos);
    CHECK(value_at(after, bandwidth_of(store)) == "'3 GB/s'");
    const KeyPath fresh = KeyPath("store") / store / "via";
    const std::string more = with_value(before, fresh, "['ib*']");
    CHECK(loaded(more).store.at(0).via.size() > 0);
    CHECK(without_value(more, fresh) == before);
  }
}

TEST_CASE("a store's open number is found, tried and written, whatever the store is called") {
  for (const auto& store : kStores) {
    CAPTURE(store);
    const std::string text = scenario_with(store);
    const auto numbers = numbers_of(loaded(text));
    const auto found = std::ranges::find(numbers, bandwidth_of(store), &OpenNumber::path);
    REQUIRE(found != numbers.end());
    CHECK(rate_in(loaded(text, sets_of(*found, 1.5))) == approx(3e9));
    CHECK(rate_in(loaded(anchored_text(text, *found, 1.5, "a run"))) == approx(3e9));
  }
}

TEST_CASE("a change that is proposed for a store can be set, whatever the store is called") {
  for (const auto& store : kStores) {
    CAPTURE(store);
    const std::string text = scenario_with(store, "protocol = 'nfs-tcp'\nconnections = 1\n");
    std::size_t of_store = 0;
    for (const Change& change : setting_changes(loaded(text), own_catalog()))
      for (const auto& set : change.sets)
        if (parse_override(set).path.is_within(KeyPath("store") / store)) {
          CHECK_NOTHROW(loaded(text, {set}));
          ++of_store;
        }
    CHECK(of_store > 0);
  }
}
