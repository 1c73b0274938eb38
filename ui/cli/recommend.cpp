// SPDX-License-Identifier: Apache-2.0
#include "reports/study/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "reports/clusters/cluster_study.h"
#include "reports/html/recommend_page.h"
#include "reports/writers/json.h"
#include "reports/writers/recommendation_text.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/load.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/pool_option.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

struct RecommendArguments {
  std::string file;
  ScenarioArguments scenario;
  OutputOption json{"--json"}, html{"--html"};
  std::optional<std::string> jobs;
  PoolOption pool;

  void add_to(Options& options) {
    options.operand("GOAL", file,
                    "what is wanted and what may be chosen, in a few lines: gpufeed check --keys "
                    "goal lists the keys, gpufeed new goal.toml --from 21/goal.toml copies one to "
                    "start from; or the scenario of a language model, whose fastest layout over "
                    "its GPUs is wanted");
    json.add_to(options, "write the answer as JSON");
    html.add_to(options, "write a report with pictures, a page of its own that needs no network");
    add_jobs_option(options, "choices", jobs);
    pool.add_to(options, "choices");
    scenario.add_overrides_to(options);
    scenario.add_prices_to(options);
  }
};

/// Of a scenario alone: how its language model is best laid out over its GPUs.
Goal fastest_layout(const std::filesystem::path& scenario, const Catalog& catalog) {
  return parse_goal(fmt::format("title = \"Fastest layout\"\nscenario = {}\n"
                                "maximize = \"job_samples_per_s\"\nlayouts = true\n",
                                toml_string(scenario.filename().string())),
                    (scenario.parent_path() / "layouts").string(), catalog);
}

/// Every choice of a shared cluster is run.
int recommend_cluster(const Goal& goal, const Catalog& catalog, RecommendArguments& given,
                      unsigned jobs, bool screen_taken, const Arguments& arguments) {
  for (OutputOption* output : {&given.json, &given.html}) output->open();
  ProgressBar bar;
  const ClusterStudy study =
      study_cluster(goal, catalog, overrides_of(given.scenario),
                    {jobs, [&](std::int64_t done, std::int64_t of) { bar.show(done, of); }});
  bar.clear();
  if (given.json.asked_for()) given.json.write(to_json(study));
  if (given.html.asked_for())
    given.html.write(to_html(study, page_head("recommend", arguments,
                                              study.title.empty() ? "Recommendation" : study.title,
                                              {given.file, goal.scenarios.front()})));
  if (!screen_taken) print(to_text(study));
  return study.order.empty() ? kNo : kGood;
}

Recommendation found(const Choices& choices, const RecommendArguments& given, unsigned jobs,
                     const Options& options) try {
  ProgressBar bar;
  auto pool = given.pool.open(options);
  if (pool) {
    Diagnostics out;
    pool->is_of({{"the goal", read_text_file(given.file, kMaxTextSize, out).value_or("")}});
  }
  Recommendation answer = recommend(
      choices, {.jobs = jobs,
                .progress = [&](std::int64_t looked_at) { bar.show(looked_at, choices.count()); },
                .pool = pool ? &*pool : nullptr});
  bar.clear();
  return answer;
} catch (const PoolStopped&) {
  end_in_pool();
}

/// Of all products that the page names.
std::map<std::string, std::string> titles_of_choices(const Recommendation& answer,
                                                     const Catalog& catalog) {
  std::map<std::string, std::string> titles;
  const auto add = [&](const std::vector<Choice>& choices) {
    for (const Choice& one : choices)
      for (const ChosenValue& value : one.values) add_titles(value.value, catalog, titles);
  };
  add(answer.chosen);
  add(answer.rivals);
  for (const SurerChoice& surer : answer.surer) add(surer.choice);
  for (const Obstacle& obstacle : answer.obstacles)
    for (const ChosenValue& value : obstacle.values) add_titles(value.value, catalog, titles);
  return titles;
}

}  // namespace

int recommend_verb(const Arguments& arguments) {
  Options options(
      "recommend",
      "Finds the choice that a goal asks for: the cheapest that keeps the GPUs busy, the "
      "most GPUs that the drives feed, the fastest layout of a language model over its GPUs, or "
      "the Pareto front of price and throughput. What the "
      "analytic bound excludes is not simulated, and the rest is, so that the answer is "
      "proven; of a shared cluster, all is. Exit status 1 where nothing meets all constraints.",
      "gpufeed examples 21 mine && gpufeed recommend mine/goal.toml");
  RecommendArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (given.file.empty()) throw options.error("name the file of a goal");
  const unsigned jobs = jobs_in(options, given.jobs);
  const bool screen_taken = take_standard_output(options, {&given.json, &given.html});
  given.pool.check(options);
  const Catalog catalog = catalog_of(given.scenario);
  const bool is_scenario = kind_of_file(given.file) == FileKind::scenario;
  Goal goal = is_scenario ? fastest_layout(given.file, catalog) : load_goal(given.file, catalog);
  if (studies_cluster(goal.scenarios.front())) {
    if (given.pool.asked_for())
      throw options.error("of a shared cluster all choices are run here: leave out --pool");
    return recommend_cluster(goal, catalog, given, jobs, screen_taken, arguments);
  }
  std::vector<std::string> copied{given.file};
  std::ranges::copy(goal.scenarios, std::back_inserter(copied));
  const Choices choices =
      choices_of(std::move(goal), catalog, overrides_of(given.scenario), PROJECT_VERSION);
  for (OutputOption* output : {&given.json, &given.html}) output->open();
  Recommendation answer = found(choices, given, jobs, options);
  answer.options = options_of(given.scenario);
  if (given.json.asked_for()) given.json.write(to_json(answer));
  if (given.html.asked_for()) {
    std::optional<Result> best;
    if (answer.chosen.size() == 1 && choices.studied() == Studied::scenario) {
      Scenario chosen = scenario_of(choices, answer.chosen.front().number, 0);
      chosen.run.range_samples = Run{}.range_samples;
      best = called_by_title(simulate(chosen), chosen);
    }
    given.html.write(
        html::to_html(answer,
                      page_head("recommend", arguments,
                                answer.title.empty() ? "Recommendation" : answer.title, copied),
                      best ? &*best : nullptr, titles_of_choices(answer, catalog)));
  }
  if (!screen_taken) print(to_text(answer));
  return answer.chosen.empty() ? kNo : kGood;
}

}  // namespace gpufeed::cli
