// SPDX-License-Identifier: Apache-2.0
// What a buyer reads names products by their titles; what programs read, by the catalog's names.
#include <doctest/doctest.h>

#include <set>

#include "reports/html/compare_page.h"
#include "reports/study/change.h"
#include "reports/study/compare_scenarios.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/json.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/what_if.h"

using namespace gpufeed;

namespace {

/// Of those that are no words of their own: with a hyphen and a digit.
const std::set<std::string>& catalog_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> out;
    for (const auto& kind : catalog_kinds())
      for (const std::string& name : own_catalog().names(kind))
        if (name.find('-') != std::string::npos &&
            name.find_first_of("0123456789") != std::string::npos)
          out.insert(name);
    return out;
  }();
  return names;
}

/// The catalog's names in a text.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> found;
  constexpr std::string_view kBetween = " ,;:()\"'<>=[]\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string word = text.substr(at, end - at);
    if (catalog_names().contains(word)) found.push_back(word);
    at = end + 1;
  }
  return found;
}

}  // namespace

TEST_CASE("changes name products by their titles, their options by the catalog's names") {
  REQUIRE(names_in("2 x nvidia-l40s") == Names{"nvidia-l40s"});
  bool any = false;
  for (const char* example :
       {"01_local_or_shared/scenario_shared.toml", "03_data_density/scenario_video.toml",
        "08_latency_bound/scenario.toml", "10_cluster_scaling/scenario.toml",
        "16_h100_or_l40s/l40s_nfs.toml", "20_finetune_7b/scenario.toml"}) {
    CAPTURE(example);
    const ScenarioSource source = source_of(kExamples + example);
    const Scenario scenario = source.load();
    const Catalog catalog = own_catalog().remembering();
    for (const auto& changes :
         {setting_changes(scenario, catalog), purchase_changes(scenario, catalog, source),
          saving_changes(scenario, catalog, source)})
      for (const Change& change : changes) {
        CHECK(names_in(change.text) == Names{});
        CHECK(names_in(change.why) == Names{});
        for (const std::string& set : change.sets) any = any || !names_in(set).empty();
      }
  }
  CHECK(any);
}

TEST_CASE("what differs is shown by titles, and kept by names") {
  const std::string h100 = kExamples + "16_h100_or_l40s/h100.toml";
  const std::string l40s = kExamples + "16_h100_or_l40s/l40s_nfs.toml";
  const Scenario one = source_of(h100).load();
  const Scenario other = source_of(l40s).load();
  const std::vector<Result> results{simulate(one), simulate(other)};
  const SideBySide both = compared_scenarios({h100, l40s}, {&one, &other}, results);
  Names kept;
  for (const Difference& difference : both.differences)
    for (const std::string& name : names_in(difference.name)) kept.push_back(name);
  CHECK(kept.size() >= 2);
  CHECK_FALSE(names_in(to_json(both)).empty());
  for (const Difference& difference : both.differences) {
    CAPTURE(difference.name);
    CHECK(names_in(shown_name(difference)) == Names{});
    for (const std::string& value : shown_values(difference)) CHECK(names_in(value) == Names{});
  }
}
