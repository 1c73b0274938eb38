// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/json.h"
#include "reports/writers/text.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/cli/isolated.h"
#include "ui/cli/limits.h"
#include "ui/cli/output.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

Result predict(const Scenario& scenario) {
  Result result = simulate(scenario);
  result.version = PROJECT_VERSION;
  result.scenario = to_toml(scenario);
  return result;
}

/// The results of all scenarios; complains about those that have none.
/// \return the worst exit status
int predict_all(const std::vector<std::string>& files, const Loaded& loaded,
                std::vector<Result>& results) {
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
                   : fmt::format("gpufeed simulate: {}: {}", files[i], outcomes[i].text));
    worst = std::max(worst, outcomes[i].status);
  }
  return worst;
}

}  // namespace

int simulate_verb(const Arguments& arguments) {
  Options options("simulate",
                  "Says how fast each scenario trains, how busy its GPUs are and what holds them "
                  "back: one screen for one scenario, a table for several.",
                  "gpufeed simulate scenario.toml --set loader.workers_per_gpu=16");
  ScenarioArguments scenarios;
  std::optional<std::string> json;
  Limits limits;
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  options.value("--json", "FILE", json,
                "write all results to FILE as well; - writes them to standard output, and nothing "
                "else");
  limits.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (scenarios.files.empty()) throw options.error("name at least one scenario file");
  limits.set(options);

  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  for (auto& scenario : loaded.scenarios) scenario->run.timeline = json.has_value();
  const auto output = output_for("--json", json, loaded.files);
  std::vector<Result> results;
  if (const int worst = predict_all(scenarios.files, loaded, results); worst != kGood) return worst;

  const bool one = results.size() == 1;
  if (json) {
    const std::string text = one ? to_json(results.front()) : to_json(results);
    if (output)
      output->write(text);
    else
      print(text);
  }
  if (json != "-")
    print(one ? to_text(results.front()) : to_table(results) + "\n" + to_reasons(results));
  return kGood;
}

}  // namespace gpufeed::cli
