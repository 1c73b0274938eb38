// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/study/explain.h"
#include "reports/study/whatif.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/explanation_text.h"
#include "reports/writers/json.h"
#include "reports/writers/text.h"
#include "sim/elasticity.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/observed.h"
#include "sim/model/scenario.h"
#include "ui/cli/isolated.h"
#include "ui/cli/limits.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/progress.h"
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

/// What holds one scenario back, found by trying.
struct Why {
  Elasticity elasticity;
  WhatIf settings;
};

Why why_of(const ScenarioArguments& arguments, const Scenario& scenario, const Result& result,
           unsigned jobs) {
  const Catalog catalog = catalog_of(arguments).remembering();
  const ScenarioSource source(arguments.files.front(), catalog, overrides_of(arguments));
  WhatIf settings = what_if(source, catalog, {.jobs = jobs, .settings_only = true});
  return {elasticity_of(scenario, result), std::move(settings)};
}

/// Why what was observed is not what one scenario predicts.
int explain_one(const ScenarioArguments& arguments, const std::string& observed_file,
                const std::optional<std::string>& json, unsigned jobs) {
  const Observed observed = load_observed(observed_file, catalog_of(arguments));
  Loaded loaded = load_all(arguments);
  loaded.problems.throw_if_any();
  loaded.files.input(observed_file);
  const auto output = output_for("--json", json, loaded.files);
  ProgressBar bar;
  const Explanation explanation =
      explain(*loaded.scenarios.front(), observed, jobs,
              [&](std::int64_t done, std::int64_t of) { bar.show(done, of); });
  bar.clear();
  if (output) output->write(to_json(explanation));
  print(json == "-" ? to_json(explanation) : to_text(explanation));
  return kGood;
}

}  // namespace

int simulate_verb(const Arguments& arguments) {
  Options options("simulate",
                  "Says how fast each scenario trains, how busy its GPUs are and what holds them "
                  "back: one screen for one scenario, a table for several.",
                  "gpufeed simulate scenario.toml --set loader.workers_per_gpu=16");
  ScenarioArguments scenarios;
  std::optional<std::string> json;
  bool wants_why = false;
  std::optional<std::string> observed;
  Limits limits;
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  options.value("--json", "FILE", json,
                "write all results to FILE as well; - writes them to standard output, and nothing "
                "else");
  options.flag(
      "--why", wants_why,
      "of one scenario: simulate it again with 10 % more of each resource in turn, and with "
      "other settings; tells what binds, what comes next, and which settings help");
  options.value("--observed", "FILE", observed,
                "of one scenario: what was seen on a real run; ranks what may be why it is not as "
                "predicted, with what to look at. gpufeed check --keys observed lists the keys");
  limits.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (scenarios.files.empty()) throw options.error("name at least one scenario file");
  if (wants_why && scenarios.files.size() > 1)
    throw options.error("--why is asked of one scenario");
  if (observed && (scenarios.files.size() > 1 || wants_why))
    throw options.error("--observed is held against one scenario, without --why");
  limits.set(options);
  if (observed) return explain_one(scenarios, *observed, json, jobs_in(options, {}));

  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  const auto output = output_for("--json", json, loaded.files);
  std::vector<Result> results;
  if (const int worst = predict_all(scenarios.files, loaded, results); worst != kGood) return worst;

  const bool one = results.size() == 1;
  std::optional<Why> why;
  if (wants_why)
    why = why_of(scenarios, *loaded.scenarios.front(), results.front(), jobs_in(options, {}));
  if (json) {
    const std::string text = why   ? to_json(results.front(), why->elasticity)
                             : one ? to_json(results.front())
                                   : to_json(results);
    if (output)
      output->write(text);
    else
      print(text);
  }
  if (json != "-")
    print(one ? to_text(results.front()) : to_table(results) + "\n" + to_reasons(results));
  if (json != "-" && why) print(to_text(why->elasticity, why->settings));
  return kGood;
}

}  // namespace gpufeed::cli
