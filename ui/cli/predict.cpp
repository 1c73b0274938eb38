// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/json.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/cli/isolated.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

Result predict(const Scenario& scenario) {
  Result result = simulate(scenario);
  result.version = PROJECT_VERSION;
  result.scenario = to_toml(scenario);
  return result;
}

}  // namespace

int predict_all(const std::string& verb, const std::vector<std::string>& files,
                const Loaded& loaded, std::vector<Result>& results) {
  std::vector<Job> jobs;
  for (const auto& scenario : loaded.scenarios)
    jobs.emplace_back([&scenario] { return to_json(predict(*scenario)); });
  const std::vector<Outcome> outcomes = run_isolated(jobs);
  int worst = kGood;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].status == kGood)
      results.push_back(result_from_json(outcomes[i].text));
    else
      complain(outcomes[i].status == kWrongInput
                   ? outcomes[i].text
                   : fmt::format("gpufeed {}: {}: {}", verb, files[i], outcomes[i].text));
    worst = std::max(worst, outcomes[i].status);
  }
  return worst;
}

}  // namespace gpufeed::cli
