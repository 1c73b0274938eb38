// SPDX-License-Identifier: Apache-2.0
#include "reports/study/anchor.h"

#include <fmt/format.h>

#include "reports/study/observables.h"
#include "reports/writers/anchor_text.h"
#include "reports/writers/json.h"
#include "sim/base/files/read_file.h"
#include "sim/load/study/observed.h"
#include "sim/simulate.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

struct AnchorArguments {
  std::string file;
  std::optional<std::string> observed;
  std::optional<std::string> key;
  std::optional<std::string> jobs;
  ScenarioArguments scenario;
  OutputOption json{"--json"}, output{"--output"};

  void add_to(Options& options) {
    options.operand("SCENARIO", file, "the scenario, of which one number is open");
    options.value(
        "--observed", "FILE", observed,
        "what was seen on one measured run of it; gpufeed check --keys observed lists the "
        "keys");
    options.value("--key", "PATH", key,
                  "set this number, such as store.nas.model.read_bandwidth; default: the one that "
                  "the run determines");
    output.add_to(options, "write the scenario with the value in it, comments kept");
    json.add_to(options, "write all numbers as JSON");
    add_jobs_option(options, "numbers", jobs);
    scenario.add_overrides_to(options);
  }
};

std::optional<KeyPath> key_in(const AnchorArguments& given) {
  if (!given.key) return {};
  Diagnostics out;
  auto path = parse_key_path(*given.key, {"--key " + *given.key, 0, 0}, out);
  out.throw_if_any();
  return path;
}

/// The scenario's text with the number in it, which must predict the same.
std::string text_with(const AnchorArguments& given, const Anchored& anchored,
                      const Catalog& catalog) {
  Diagnostics out;
  const auto text = read_text_file(given.file, kMaxTextSize, out);
  out.throw_if_any();
  const std::string& run = anchored.report.run;
  const auto refuse = [&](const std::string& why) {
    throw InputError({{{"--output", 0, 0},
                       fmt::format("{} does not take {}: {}; give it with --set, as printed "
                                   "without --output",
                                   given.file, anchored.report.number.path, why)}});
  };
  std::string changed;
  try {
    changed = anchored_text(
        *text, anchored.number, anchored.factor,
        "gpufeed anchor, set by one measured run" + (run.empty() ? std::string() : ": " + run));
    Scenario scenario = parse_scenario(changed, given.file, catalog, overrides_of(given.scenario));
    scenario.run.once();
    const Observables observables = observables_of(scenario, simulate(scenario));
    const auto& wanted = anchored.report.number.predictions;
    for (std::size_t i = 0; i < observables.size(); ++i)
      if (observables[i] != wanted[i].predicted)
        refuse("the file then predicts something else, as --set or [[replace]] go before it");
  } catch (const InputError& error) {
    if (error.problems().front().where.file == "--output") throw;
    refuse(sentence(error.problems().front()));
  }
  return changed;
}

}  // namespace

int anchor_verb(const Arguments& arguments) {
  Options options("anchor",
                  "Sets the one number that a scenario leaves open (an estimate, a data sheet's "
                  "figure, a limit that nobody states) such that it shows what one measured run "
                  "showed: names it, with its deviation and the --set that takes it into the next "
                  "prediction. Says what would explain the run as well, how to tell, and what the "
                  "run does not determine.",
                  "gpufeed examples 17 mine && gpufeed anchor mine/scenario.toml --observed "
                  "mine/observed.toml");
  AnchorArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (given.file.empty()) throw options.error("name the file of a scenario");
  if (!given.observed) throw options.error("--observed must name what was seen on a run");
  const unsigned jobs = jobs_in(options, given.jobs);
  const bool screen_taken = take_standard_output(options, {&given.json, &given.output});
  given.scenario.files = {given.file};
  const Catalog catalog = catalog_of(given.scenario).remembering();
  const Observed observed = load_observed(*given.observed, catalog);
  const ScenarioSource source(given.file, catalog, overrides_of(given.scenario));
  for (OutputOption* output : {&given.json, &given.output}) output->open();
  ProgressBar bar;
  const Anchored anchored = anchor(
      source, observed,
      {.key = key_in(given), .jobs = jobs, .progress = [&](std::int64_t done, std::int64_t of) {
         bar.show(done, of);
       }});
  bar.clear();
  if (given.json.asked_for()) given.json.write(to_json(anchored.report));
  if (given.output.asked_for()) given.output.write(text_with(given, anchored, catalog));
  if (!screen_taken) print(to_text(anchored.report));
  return kGood;
}

}  // namespace gpufeed::cli
