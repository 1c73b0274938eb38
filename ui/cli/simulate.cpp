// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/result_page.h"
#include "reports/writers/dot.h"
#include "reports/writers/json.h"
#include "reports/writers/result_csv.h"
#include "reports/writers/text.h"
#include "reports/writers/trace.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/cli/isolated.h"
#include "ui/cli/limits.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

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

/// The forms of the answer beside the screen.
struct Outputs {
  OutputOption json{"--json"}, html{"--html"}, csv{"--csv"}, trace{"--trace"}, dot{"--dot"};

  void add_to(Options& options) {
    json.add_to(options, "write all numbers as JSON");
    html.add_to(options, "write a report with pictures, a page of its own that needs no network");
    csv.add_to(options, "write the tables as CSV, a value a line");
    trace.add_to(options,
                 "write what each GPU does in some steps, for ui.perfetto.dev or chrome://tracing");
    dot.add_to(options, "write the machine with its loads as a graph for Graphviz");
  }
  void open(CommandFiles& files) {
    for (OutputOption* output : {&json, &html, &csv, &trace, &dot}) output->open(files);
  }
  bool take_screen(const Options& options) const {
    return take_standard_output(options, {&json, &html, &csv, &trace, &dot});
  }
  bool show_timeline() const { return json.asked_for() || html.asked_for() || trace.asked_for(); }
};

std::string html_of(const std::vector<Result>& results, const Loaded& loaded,
                    const Arguments& arguments) {
  std::vector<html::PicturedResult> pictured;
  for (std::size_t i = 0; i < results.size(); ++i)
    pictured.push_back({results[i], picture_of(results[i], *loaded.scenarios[i]->system)});
  return html::to_html(pictured, {results.size() == 1 ? results.front().title
                                                      : fmt::format("{} scenarios", results.size()),
                                  command_line("simulate", arguments), PROJECT_VERSION});
}

void write(const Outputs& outputs, const std::vector<Result>& results, const Loaded& loaded,
           const Arguments& arguments) {
  if (outputs.json.asked_for())
    outputs.json.write(results.size() == 1 ? to_json(results.front()) : to_json(results));
  if (outputs.html.asked_for()) outputs.html.write(html_of(results, loaded, arguments));
  if (outputs.csv.asked_for()) outputs.csv.write(to_csv(results));
  if (outputs.trace.asked_for()) outputs.trace.write(to_trace(results));
  if (outputs.dot.asked_for()) outputs.dot.write(to_dot(results));
}

}  // namespace

int simulate_verb(const Arguments& arguments) {
  Options options("simulate",
                  "Says how fast each scenario trains, how busy its GPUs are and what holds them "
                  "back: one screen for one scenario, a table for several.",
                  "gpufeed simulate scenario.toml --set loader.workers_per_gpu=16");
  ScenarioArguments scenarios;
  Outputs outputs;
  Limits limits;
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  outputs.add_to(options);
  limits.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (scenarios.files.empty()) throw options.error("name at least one scenario file");
  const bool screen_taken = outputs.take_screen(options);
  limits.set(options);

  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  for (auto& scenario : loaded.scenarios) scenario->run.timeline = outputs.show_timeline();
  outputs.open(loaded.files);
  std::vector<Result> results;
  if (const int worst = predict_all(scenarios.files, loaded, results); worst != kGood) return worst;

  write(outputs, results, loaded, arguments);
  if (!screen_taken)
    print_screen(results.size() == 1 ? to_text(results.front())
                                     : to_table(results) + "\n" + to_reasons(results));
  return kGood;
}

}  // namespace gpufeed::cli
