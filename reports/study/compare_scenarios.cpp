// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare_scenarios.h"

#include <algorithm>
#include <map>

#include "reports/writers/comparison_text.h"
#include "sim/load/entry_values.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "sim/range/effects.h"

namespace gpufeed {
namespace {

/// By their names, as the rows of products are called.
std::map<std::string, std::string> titles_of_products(const Result& result,
                                                      const Scenario& scenario) {
  const auto titled = called_by_title(result.bill, scenario);
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < titled.size(); ++i)
    out[titled[i].kind + " " + result.bill[i].name] = titled[i].kind + " " + titled[i].name;
  return out;
}

void add_titles(const std::vector<const Scenario*>& scenarios, const std::vector<Result>& results,
                SideBySide& out) {
  std::map<std::string, std::string> products;
  std::vector<std::vector<NamedEntry>> entries;
  for (std::size_t i = 0; i < results.size(); ++i) {
    products.merge(titles_of_products(results[i], *scenarios[i]));
    entries.push_back(named_entries(*scenarios[i]));
  }
  for (Difference& one : out.differences) {
    if (const auto title = products.find(one.name); title != products.end())
      one.title = title->second;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < one.values.size(); ++i)
      shown.push_back(
          title_of_named(one.name, shown_value(one.values[i]), entries[i]).value_or(one.values[i]));
    if (shown != one.values) one.shown = std::move(shown);
  }
}

}  // namespace

SideBySide compared_scenarios(const std::vector<std::string>& files,
                              const std::vector<const Scenario*>& scenarios,
                              const std::vector<Result>& results) {
  constexpr std::size_t kDraws = 200;
  constexpr std::int64_t kSeed = 1;
  std::vector<Drawn> draws;
  std::vector<std::map<std::string, std::string>> titles;
  for (std::size_t i = 0; i < results.size(); ++i) {
    draws.push_back(drawn(*scenarios[i], results[i], kDraws, kSeed));
    titles.push_back(inline_titles(*scenarios[i]));
  }
  SideBySide out = compared(files, results, draws, entry_differences(scenarios), titles);
  add_titles(scenarios, results, out);
  return out;
}

}  // namespace gpufeed
