// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "reports/clusters/cluster_study.h"
#include "reports/html/page.h"
#include "reports/study/sweep_best.h"
#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_pool.h"
#include "reports/study/sweep_run.h"
#include "reports/study/sweep_summary.h"
#include "sim/engine/engine.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "ui/cli/limits.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/pool_option.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/submit.h"
#include "ui/cli/sweep_report.h"
#include "ui/cli/sweep_shard.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

struct SweepArguments {
  std::string file;
  ScenarioArguments scenario;
  std::optional<std::string> out;
  OutputOption csv{"--csv"}, html{"--html"};
  std::optional<std::string> jobs;
  std::optional<std::string> shard;
  PoolOption pool;
  std::optional<std::string> submit, tasks;

  void add_to(Options& options) {
    options.operand("SWEEP", file, "what to vary: gpufeed check --keys sweep lists the keys");
    options.value("--out", "FILE", out,
                  "the SQLite file that takes the results; default: SWEEP.sqlite in this folder "
                  "(SWEEP.I-of-N.sqlite for a shard)");
    csv.add_to(options, "write the results as CSV as well, once all are there");
    html.add_to(options, "write charts of them, a page of its own that needs no network");
    add_jobs_option(options, "points", jobs);
    options.value("--shard", "I/N", shard,
                  "only one of every N points; gpufeed merge joins the shards 1/N to N/N. auto: "
                  "which, the scheduler says (Slurm, Open MPI, SGE; auto/N: PBS, Kubernetes)");
    pool.add_to(options, "points", "; the results: DIR/all.sqlite");
    options.value("--submit", "slurm", submit,
                  "simulate nothing here: write the scripts of a job array and of its merge, and "
                  "hand them to Slurm");
    options.value("--tasks", "N", tasks, "of --submit: how many share the points; default: 8")
        .seldom();
    scenario.add_overrides_to(options);
    scenario.add_prices_to(options);
  }
};

std::string default_name(const std::string& sweep, const Shard& shard) {
  const std::string stem = std::filesystem::path(sweep).stem().string();
  if (shard.count == 1) return stem + ".sqlite";
  return fmt::format("{}.{}-of-{}.sqlite", stem, shard.number, shard.count);
}

std::int64_t points_of(const SweepPlan& plan, const Shard& shard) {
  std::int64_t count = 0;
  for (std::int64_t point = 0; point < plan.points.count(); ++point) count += shard.has(point);
  return count;
}

/// \return whether all points are finished
bool run(const SweepPlan& plan, SweepStore& store, const Shard& shard, unsigned jobs) {
  end_in_good_order();
  ProgressBar bar;
  return run_sweep(plan, store,
                   {.shard = shard,
                    .jobs = jobs,
                    .stop = asked_to_end,
                    .progress = [&](std::int64_t done, std::int64_t of) { bar.show(done, of); }});
}

/// Together with the others of a pool. \return all points; null where it was stopped
std::unique_ptr<SweepStore> run_pooled(const SweepPlan& plan, const SweepArguments& given,
                                       unsigned jobs, const Options& options) {
  PoolRun with;
  with.jobs = jobs;
  with.rules = given.pool.rules(options);
  end_in_good_order();
  ProgressBar bar;
  with.stop = asked_to_end;
  with.progress = [&](std::int64_t done, std::int64_t of) { bar.show(done, of); };
  return run_in_pool(plan, given.pool.folder(), with);
}

/// \return what to tell
std::string submit(const SweepArguments& given, bool screen_taken, const Options& options) {
  constexpr std::int64_t kTasks = 8;
  constexpr std::int64_t kMostTasks = 100000;
  if (*given.submit != "slurm")
    throw options.error(fmt::format("--submit knows slurm; found \"{}\"", *given.submit));
  if (given.shard || given.pool.asked_for() || given.out || given.jobs || screen_taken ||
      given.csv.asked_for() || given.html.asked_for())
    throw options.error(
        "--submit names the outputs itself, and shards and jobs are the scheduler's: leave out "
        "--shard, --pool, --out, --jobs, --csv and --html");
  Submission what;
  what.tasks = given.tasks ? number_in(options, "--tasks", *given.tasks, kMostTasks) : kTasks;
  const SweepPlan plan = plan_sweep(given.file, catalog_of(given.scenario),
                                    overrides_of(given.scenario), PROJECT_VERSION);
  what.tasks = std::min(what.tasks, plan.points.count());
  what.stem = std::filesystem::path(given.file).stem().string();
  what.sweep = {given.file};
  for (const auto& word : options_of(given.scenario)) what.sweep.push_back(word);
  const Limits& limits = options.limits();
  if (limits.time) what.sweep.push_back("--limit-time=" + *limits.time);
  if (limits.memory) what.sweep.push_back("--limit-memory=" + *limits.memory);
  return submit_to_slurm(what);
}

/// All points of a shared cluster, at once.
int sweep_cluster(const Sweep& sweep, const Catalog& catalog, SweepArguments& given, unsigned jobs,
                  bool screen_taken, const Options& options, const Arguments& arguments) {
  if (given.out || given.shard || given.pool.asked_for())
    throw options.error(
        "of a shared cluster all points are run at once: leave out --out, --shard and --pool, and "
        "take --csv or --html");
  for (OutputOption* output : {&given.csv, &given.html}) output->open();
  ProgressBar bar;
  const ClusterStudy study =
      study_cluster(sweep, catalog, overrides_of(given.scenario),
                    {jobs, [&](std::int64_t done, std::int64_t of) { bar.show(done, of); }});
  bar.clear();
  if (given.csv.asked_for()) given.csv.write(to_csv(study));
  if (given.html.asked_for())
    given.html.write(to_html(study, {study.title.empty() ? "Sweep" : study.title,
                                     command_line("sweep", arguments), PROJECT_VERSION}));
  if (!screen_taken) print(to_text(study));
  return kGood;
}

}  // namespace

int sweep_verb(const Arguments& arguments) {
  Options options(
      "sweep",
      "Simulates a scenario for every combination of values that a file names, or for "
      "a sample of them. Results go to a SQLite file as they come; the same command "
      "goes on where it was interrupted. Points are simulated by the fluid engine "
      "unless run.engine or --engine says otherwise. Exit status 1 where a point failed "
      "through a fault of gpufeed.",
      "gpufeed examples 3 mine && gpufeed sweep mine/sweep.toml --csv results.csv");
  SweepArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  if (given.file.empty()) throw options.error("name the file of a sweep");
  const unsigned jobs = jobs_in(options, given.jobs);
  const Shard shard = shard_of(given.shard, options);
  const bool screen_taken = take_standard_output(options, {&given.csv, &given.html});
  if (given.tasks && !given.submit) throw options.error("--tasks is for --submit");
  given.pool.check(options);
  if (given.pool.asked_for() && (given.shard || given.out))
    throw options.error(
        "--pool takes points as they come and names its results itself: leave out "
        "--shard and --out");
  if (given.submit) {
    print(submit(given, screen_taken, options));
    return kGood;
  }
  const Catalog catalog = catalog_of(given.scenario);
  if (const Sweep sweep = load_sweep(given.file, catalog); studies_cluster(sweep.scenario.path))
    return sweep_cluster(sweep, catalog, given, jobs, screen_taken, options, arguments);
  const SweepPlan plan =
      plan_sweep(given.file, catalog, overrides_of(given.scenario), PROJECT_VERSION);
  if (plan.one_at_a_time && given.jobs && jobs > 1)
    throw options.error("SimGrid simulates one point at a time: take --jobs 1 or --engine fluid");
  if (plan.one_at_a_time) require_simgrid();  // else each point would be stored as failed
  if (shard.count > plan.points.count())
    throw options.error(
        fmt::format("--shard {}: the sweep has only {} points", *given.shard, plan.points.count()));
  const std::string out = given.pool.asked_for()
                              ? pooled_store(given.pool.folder()).string()
                              : given.out.value_or(default_name(given.file, shard));
  for (const auto& name : store_files(out))
    note_output((given.pool.asked_for() ? "--pool " : "--out ") + out, name);
  for (OutputOption* output : {&given.csv, &given.html}) output->open();
  const std::unique_ptr<SweepStore> results = given.pool.asked_for()
                                                  ? run_pooled(plan, given, jobs, options)
                                                  : std::make_unique<SweepStore>(out, plan, shard);
  if (!results) end_in_pool();
  SweepStore& store = *results;
  const bool complete = run(plan, store, shard, jobs);
  std::string told = summary_of(store, points_of(plan, shard), !plan.sweep.constraints.empty());
  if (!complete) {
    complain(told + "interrupted; the same command goes on\n");
    end_as_asked();
  }
  told += best_rows(store, plan.sweep);
  if (screen_taken)
    complain(told);
  else
    print(told);
  if (given.csv.asked_for()) given.csv.write(to_csv(store));
  if (given.html.asked_for())
    given.html.write(html::to_html(
        swept_points(store, plan.sweep, catalog),
        page_head("sweep", arguments, plan.sweep.title.empty() ? "Sweep" : plan.sweep.title,
                  {given.file})));
  return store.counts().faults == 0 ? kGood : kNo;
}

}  // namespace gpufeed::cli
