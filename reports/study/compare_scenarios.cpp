// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare_scenarios.h"

#include "sim/load/entry_values.h"
#include "sim/model/scenario.h"
#include "sim/range/effects.h"

namespace gpufeed {

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
  return compared(files, results, draws, entry_differences(scenarios), titles);
}

}  // namespace gpufeed
