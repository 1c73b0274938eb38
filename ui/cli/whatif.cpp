// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif.h"

#include <fmt/format.h>

#include "reports/html/whatif_page.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/json.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/pool_option.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/serving.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

struct WhatIfArguments {
  std::string file;
  ScenarioArguments scenario;
  OutputOption json{"--json"}, html{"--html"};
  std::optional<std::string> top;
  std::optional<std::string> jobs;
  bool free_only = false;
  bool why_not = false;
  PoolOption pool;

  void add_to(Options& options) {
    options.operand("SCENARIO", file, "the scenario whose changes are tried");
    json.add_to(options, "write all changes that help as JSON");
    html.add_to(options, "write a report with pictures, a page of its own that needs no network");
    options.value("--top", "N", top, "show the first N of each list; default: 10");
    options.flag("--free", free_only, "try only what costs nothing: settings of software");
    options.flag("--why-not", why_not, "list also what was tried and is not proposed, and why");
    add_jobs_option(options, "changes", jobs);
    pool.add_to(options, "changes");
    scenario.add_overrides_to(options);
    scenario.add_prices_to(options);
  }
};

WhatIf tried(const ScenarioSource& source, const Catalog& catalog, const WhatIfArguments& given,
             unsigned jobs, const Options& options) try {
  ProgressBar bar;
  auto pool = given.pool.open(options);
  WhatIf report =
      what_if(source, catalog,
              {.jobs = jobs,
               .settings_only = given.free_only,
               .progress = [&](std::int64_t done, std::int64_t of) { bar.show(done, of); },
               .pool = pool ? &*pool : nullptr});
  bar.clear();
  return report;
} catch (const PoolStopped&) {
  end_in_pool();
}

}  // namespace

int whatif_verb(const Arguments& arguments) {
  Options options("whatif",
                  "Tries one change at a time of a scenario: settings of software first (loader, "
                  "reading, decoding, precision, batch, exchange, checkpoints, clients of stores, "
                  "placement), "
                  "then parts, stores and machines of the catalog that fit. Ranks those that make "
                  "it faster: what each gives, costs and draws, and the --set that does it; beside "
                  "them changes of what is trained, and purchases that cost less and are as fast. "
                  "The GPUs stay. Differences that may be chance are none, rarer checkpoints no "
                  "gain.",
                  "gpufeed examples 3 mine && gpufeed whatif mine/scenario_video.toml --top 5");
  WhatIfArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (given.file.empty()) throw options.error("name the file of a scenario");
  const unsigned jobs = jobs_in(options, given.jobs);
  constexpr std::int64_t kMostShown = 1000;
  constexpr std::int64_t kShown = 10;
  const std::int64_t top = given.top ? number_in(options, "--top", *given.top, kMostShown) : kShown;
  const bool screen_taken = take_standard_output(options, {&given.json, &given.html});
  given.pool.check(options);
  given.scenario.files = {given.file};
  if (is_serving(given.file)) {
    if (given.why_not || given.top || given.pool.asked_for())
      throw options.error(
          "of a language model that is served all changes are tried here, and shown as a table; "
          "leave out --why-not, --top and --pool");
    ProgressBar bar;
    return what_if_serving(
        given.scenario,
        {.jobs = jobs,
         .settings_only = given.free_only,
         .progress = [&](std::int64_t done,
                         std::int64_t of) { done == of ? bar.clear() : bar.show(done, of); }},
        given.json, given.html, arguments, screen_taken);
  }
  const Catalog catalog = catalog_of(given.scenario).remembering();
  const ScenarioSource source(given.file, catalog, overrides_of(given.scenario));
  for (OutputOption* output : {&given.json, &given.html}) output->open();
  const WhatIf report = tried(source, catalog, given, jobs, options);
  if (given.json.asked_for()) given.json.write(to_json(report));
  if (given.html.asked_for()) {
    const Scenario scenario = source.load();
    const Result now = called_by_title(simulate(scenario), scenario);
    given.html.write(html::to_html(
        report, page_head("whatif", arguments, "What if: " + report.title, {given.file}), &now));
  }
  if (!screen_taken) print(to_text(report, static_cast<std::size_t>(top), given.why_not));
  return kGood;
}

}  // namespace gpufeed::cli
