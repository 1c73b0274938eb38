// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/html/result_page.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/dot.h"
#include "reports/writers/json.h"
#include "reports/writers/phrases.h"
#include "reports/writers/result_csv.h"
#include "reports/writers/text.h"
#include "reports/writers/trace.h"
#include "sim/base/today.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "ui/cli/cluster.h"
#include "ui/cli/cluster_choices.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/predict.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/serving.h"
#include "ui/cli/verbs.h"
#include "ui/cli/why.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

/// The forms of the answer beside the screen.
struct SimulateOutputs {
  OutputOption json{"--json"}, html{"--html"}, csv{"--csv"}, trace{"--trace"}, dot{"--dot"};

  void add_to(Options& options) {
    json.add_to(options, "write all numbers as JSON");
    html.add_to(options, "write a report with pictures, a page of its own that needs no network");
    csv.add_to(options, "write the tables as CSV, a value a line").seldom();
    trace
        .add_to(options,
                "write what each GPU does in some steps, for ui.perfetto.dev or chrome://tracing")
        .seldom();
    dot.add_to(options, "write the machine with its loads as a graph for Graphviz").seldom();
  }
  void open() {
    for (OutputOption* output : {&json, &html, &csv, &trace, &dot}) output->open();
  }
  bool take_screen(const Options& options) const {
    return take_standard_output(options, {&json, &html, &csv, &trace, &dot});
  }
  bool others_asked_for() const {
    return html.asked_for() || csv.asked_for() || trace.asked_for() || dot.asked_for();
  }
  bool only_of_scenarios() const {
    return html.asked_for() || trace.asked_for() || dot.asked_for();
  }
  bool show_timeline() const { return json.asked_for() || html.asked_for() || trace.asked_for(); }
};

std::string html_of(const std::vector<Result>& results, const std::optional<Why>& why,
                    const Loaded& loaded, const Arguments& arguments) {
  std::vector<html::PicturedResult> pictured;
  for (std::size_t i = 0; i < results.size(); ++i) {
    pictured.push_back({called_by_title(results[i], *loaded.scenarios[i]),
                        picture_of(results[i], *loaded.scenarios[i]->system)});
  }
  if (why) {
    pictured.front().elasticity = why->elasticity;
    pictured.front().settings = why->settings.rows;
  }
  return html::to_html(pictured, {results.size() == 1 ? results.front().title
                                                      : fmt::format("{} scenarios", results.size()),
                                  command_line("simulate", arguments),
                                  PROJECT_VERSION,
                                  {},
                                  date_text(today())});
}

void write(const SimulateOutputs& outputs, const std::vector<Result>& results,
           const std::optional<Why>& why, const Loaded& loaded, const Arguments& arguments) {
  if (outputs.json.asked_for())
    outputs.json.write(why                   ? to_json(results.front(), why->elasticity)
                       : results.size() == 1 ? to_json(results.front())
                                             : to_json(results));
  if (outputs.html.asked_for()) outputs.html.write(html_of(results, why, loaded, arguments));
  if (outputs.csv.asked_for()) outputs.csv.write(to_csv(results));
  if (outputs.trace.asked_for()) outputs.trace.write(to_trace(results));
  if (outputs.dot.asked_for()) outputs.dot.write(to_dot(results));
}

/// What `inference` of a decoder is not.
std::string of_decoders(const Scenario& scenario) {
  const auto* feeds = scenario.workload.find<FeedsGpus>();
  const bool is_decoder = scenario.workload.find<kind::Inference>() && feeds && feeds->model &&
                          feeds->model->architecture;
  if (!is_decoder) return "";
  return item("No token",
              "is generated: a request is one forward pass; prompts and answers are simulated by "
              "kind = \"serving\" (gpufeed check --keys serving)");
}

}  // namespace

int simulate_verb(const Arguments& arguments) {
  Options options("simulate",
                  "Says how fast each scenario trains, how busy its GPUs are and what holds them "
                  "back: one screen for one scenario, a table for several.",
                  "gpufeed examples 6 mine && gpufeed simulate mine/scenario.toml --set "
                  "loader.workers_per_gpu=16");
  ScenarioArguments scenarios;
  SimulateOutputs outputs;
  bool wants_why = false;
  std::optional<std::string> observed;
  std::optional<std::string> policy;
  std::optional<std::string> command;
  std::vector<std::string> varied;
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  outputs.add_to(options);
  options.flag(
      "--why", wants_why,
      "of one scenario: simulate it again with 10 % more of each resource in turn, and with "
      "other settings; tells what binds, what comes next, and which settings help; of a cluster "
      "with its jobs: what a node more, faster stores and other schedulers give");
  options.value("--observed", "FILE", observed,
                "of one scenario: what was seen on a real run; ranks what may be why it is not as "
                "predicted, with what to look at. gpufeed check --keys observed lists the keys");
  options
      .value("--policy", "NAME", policy,
             "of one cluster with its jobs: this one of its schedulers alone")
      .seldom();
  options
      .value("--scheduler", "COMMAND", command,
             "of one cluster with its jobs: a scheduler of yours in the place of the file's; it "
             "reads a line of JSON for each event, and answers those that ask")
      .seldom();
  options
      .repeatable("--vary", "SET", varied,
                  "of one cluster with its jobs: what --set takes, with several values; may be "
                  "given again: a line for each combination, and which is best by what")
      .seldom();
  if (!options.parse(arguments)) return kGood;
  if (scenarios.files.empty()) throw options.error("name at least one scenario file");
  if (std::ranges::any_of(scenarios.files, is_cluster)) {
    if (scenarios.files.size() > 1 || observed || outputs.trace.asked_for() ||
        outputs.dot.asked_for())
      throw options.error(
          "a cluster with its jobs is simulated by itself, without --observed, and "
          "writes --json, --csv and --html alone");
    const bool taken = outputs.take_screen(options);
    if (!varied.empty()) {
      if (policy || command || wants_why || outputs.csv.asked_for() || outputs.html.asked_for())
        throw options.error("--vary goes with --json and --set alone");
      return compare_choices(scenarios, varied, outputs.json, taken);
    }
    return simulate_cluster(
        scenarios, {policy, command, wants_why},
        {outputs.json, outputs.csv, outputs.html, command_line("simulate", arguments)}, taken);
  }
  if (std::ranges::any_of(scenarios.files, is_serving)) {
    if (scenarios.files.size() > 1 || policy || command || observed || outputs.trace.asked_for() ||
        outputs.dot.asked_for())
      throw options.error(
          "a language model that is served is simulated by itself, without --policy and "
          "--observed, and writes --json, --csv and --html alone");
    const bool taken = outputs.take_screen(options);
    return simulate_serving(scenarios, wants_why, {outputs.json, outputs.csv, outputs.html},
                            arguments, taken);
  }
  if (!varied.empty()) throw options.error("--vary is asked of a cluster with its jobs");
  if (command) throw options.error("--scheduler is asked of a cluster with its jobs");
  if (policy) throw options.error("--policy is asked of a cluster with its jobs");
  if (wants_why && scenarios.files.size() > 1)
    throw options.error("--why is asked of one scenario");
  if (observed && (scenarios.files.size() > 1 || wants_why || outputs.others_asked_for()))
    throw options.error(
        "--observed is held against one scenario, without --why, and writes no other "
        "form than --json");
  const bool screen_taken = outputs.take_screen(options);
  if (observed) return explain_one(scenarios, *observed, outputs.json, jobs_in(options, {}));

  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  for (auto& scenario : loaded.scenarios) scenario->run.timeline = outputs.show_timeline();
  outputs.open();
  std::vector<Result> results;
  if (const int worst = predict_all("simulate", scenarios.files, loaded, results); worst != kGood)
    return worst;

  std::optional<Why> why;
  if (wants_why)
    why = why_of(scenarios, *loaded.scenarios.front(), results.front(), jobs_in(options, {}));
  write(outputs, results, why, loaded, arguments);
  if (!screen_taken)
    print_screen(results.size() == 1
                     ? to_text(missing_by_title(results.front(), *loaded.scenarios.front())) +
                           of_decoders(*loaded.scenarios.front())
                     : to_table(results) + "\n" + to_reasons(results));
  if (!screen_taken && why) print_screen(to_text(why->elasticity, why->settings));
  return kGood;
}

}  // namespace gpufeed::cli
