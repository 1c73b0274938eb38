// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>

#include "reports/study/faster.h"
#include "reports/study/in_parallel.h"
#include "reports/study/runs_epochs.h"
#include "reports/study/study_pool.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/pooled_json.h"
#include "sim/base/fault.h"
#include "sim/elasticity.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/load/read/fingerprint.h"
#include "sim/model/scenario.h"
#include "sim/range/effects.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

Result result_of(const ScenarioSource& source, const std::vector<Override>& overrides,
                 RunMemory& memory) {
  const RunMemory::InUse in_use(memory);
  Scenario scenario = source.load(overrides);
  scenario.run.once();
  return simulate(scenario);
}

WhatIfFigures figures_of(const Result& result) {
  return {result.job_samples_per_s,
          result.job_gpu_utilization,
          result.throughput_samples_per_s,
          result.accelerator_utilization,
          result.time_to_result_s,
          result.price_USD,
          result.power_W,
          result.without_price,
          result.without_power};
}

/// The difference of two sums, where what is missing from one is missing from the other.
std::optional<double> difference(const std::optional<double>& after,
                                 const std::optional<double>& before,
                                 const std::string& missing_after,
                                 const std::string& missing_before) {
  if (!after || !before || missing_after != missing_before) return {};
  return *after - *before;
}

/// What warnings claim that are not there now.
std::string new_warnings(const Result& now, const Result& after) {
  std::string said;
  for (const Warning& warning : after.warnings)
    if (std::ranges::count(now.warnings, warning) == 0) said += "; mind: " + claim(warning);
  return said;
}

/// Whether more of the work would be lost by a failure, and nobody counts that.
bool saves_less_often(const Result& now, const Result& after) {
  return !now.failures && now.checkpoint &&
         (!after.checkpoint || after.checkpoint->count < now.checkpoint->count);
}

/// What GPUs' memory lacks; nothing where it holds the job.
std::optional<double> memory_lacking(const Result& result) {
  if (!memory_short(result) || !result.transformer) return {};
  return result.transformer->memory_typical_B - result.transformer->gpu_memory_B;
}

/// Whether the GPUs' memory would not hold it, and as it is would, or lacks less.
bool no_longer_fits(const Result& now, const Result& after) {
  const auto lacking = memory_lacking(after);
  return lacking && *lacking > memory_lacking(now).value_or(0);
}

/// What holds the job back once changed.
std::string held_back(const Result& now, const Result& after) {
  const std::string then = in_words(after.bottleneck.resource);
  if (after.bottleneck.resource == now.bottleneck.resource)
    return then + " still holds the job back";
  return fmt::format("then {} would hold the job back instead of {}", then,
                     in_words(now.bottleneck.resource));
}

/// What would never end becomes no more than so many times as fast.
double gain_of(double now, double after) {
  constexpr double kMost = 1e6;
  return now > 0 ? std::min(kMost, after / now - 1) : after > 0 ? kMost : 0;
}

WhatIfRow row_of(const Change& change, const Result& now, const Result& after) {
  WhatIfRow row;
  row.change = change.text;
  row.subject = change.subject;
  row.is_free = change.is_free;
  row.sets = change.sets;
  row.why = change.why;
  if (after.bottleneck.resource != now.bottleneck.resource) row.why += "; " + held_back(now, after);
  row.why += new_warnings(now, after);
  row.after = figures_of(after);
  row.throughput_gain = after.throughput_samples_per_s / now.throughput_samples_per_s - 1;
  row.noise = noise_of(now, after, kLeastGain);
  row.gain = gain_of(now.job_samples_per_s, after.job_samples_per_s);
  row.utilization_points = 100 * (after.job_gpu_utilization - now.job_gpu_utilization);
  row.price_change_USD =
      difference(after.price_USD, now.price_USD, after.without_price, now.without_price);
  row.power_change_W =
      difference(after.power_W, now.power_W, after.without_power, now.without_power);
  if (row.price_change_USD && *row.price_change_USD > 0)
    row.gain_per_1000_USD = row.gain / (*row.price_change_USD / 1000);
  return row;
}

bool helps(const WhatIfRow& row) { return row.gain > row.noise; }

/// Cheaper, and as fast: where little was simulated, chance hides more than anyone would give away.
bool saves(const WhatIfRow& row) {
  constexpr double kAsFast = 0.01;
  return row.price_change_USD && *row.price_change_USD < 0 &&
         row.gain >= -std::min(row.noise, kAsFast);
}

double cost_of(const WhatIfRow& row) {
  return row.is_free ? 0 : row.price_change_USD.value_or(std::numeric_limits<double>::infinity());
}

/// Whether a change gives a rate that nobody would tell from `gain` or a larger one.
bool gives(const WhatIfRow& row, double gain) {
  return 1 + row.gain >= (1 + gain) * (1 - row.noise);
}

/// Whether `other` is a cheaper change of the same subject that gives as much.
bool outdoes(const WhatIfRow& other, const WhatIfRow& row) {
  return other.subject == row.subject && cost_of(other) < cost_of(row) && gives(other, row.gain);
}

/// Of changes of one subject that cost the same, the first that gives as much as the best of them.
std::size_t first_of_equals(const std::vector<WhatIfRow>& rows, const WhatIfRow& row) {
  const auto is_equal = [&](const WhatIfRow& other) {
    return other.subject == row.subject && cost_of(other) == cost_of(row);
  };
  double best = row.gain;
  for (const WhatIfRow& other : rows)
    if (is_equal(other)) best = std::max(best, other.gain);
  const auto found = std::ranges::find_if(
      rows, [&](const WhatIfRow& other) { return is_equal(other) && gives(other, best); });
  return static_cast<std::size_t>(found - rows.begin());
}

/// Free ones by gain, then those with a price by gain for the money, then the others by gain.
auto rank_of(const WhatIfRow& row) {
  const int group = row.is_free ? 0 : row.price_change_USD ? 1 : 2;
  // What gives more and costs less than now goes before what has to be paid.
  const bool saves = group == 1 && !row.gain_per_1000_USD;
  const double worth = row.gain_per_1000_USD && group == 1 ? *row.gain_per_1000_USD : row.gain;
  return std::tuple(group, !saves, -worth);
}

std::vector<WhatIfRow> without_outdone(const std::vector<WhatIfRow>& rows) {
  std::vector<WhatIfRow> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto outdone = [&](const WhatIfRow& other) { return outdoes(other, rows[i]); };
    if (first_of_equals(rows, rows[i]) == i && std::ranges::none_of(rows, outdone))
      kept.push_back(rows[i]);
  }
  return kept;
}

/// A change that was simulated.
struct Trial {
  WhatIfRow row;
  std::string held_back;
  bool saves_less_often = false;
  std::string does_not_fit;  ///< what the GPUs' memory lacks that it did not; else empty
  bool fits = false;         ///< and did not as it is
  std::shared_ptr<const Result> result;
};

/// What became of one: simulated, or why not.
struct Attempt {
  std::optional<Trial> trial;
  std::string refusal;
  std::string fault;
};

RejectedChange rejected(const WhatIfRow& row, Rejected verdict, std::string cause) {
  return {row.change, row.sets, verdict, std::move(cause), row.gain, row.noise};
}

/// Of as fast ones that cost less, by subject the cheapest; subjects by what they save.
std::vector<WhatIfRow> best_savings(std::vector<WhatIfRow> rows) {
  std::ranges::stable_sort(rows, {}, [](const WhatIfRow& row) { return *row.price_change_USD; });
  std::vector<WhatIfRow> best;
  for (WhatIfRow& row : rows)
    if (std::ranges::count(best, row.subject, &WhatIfRow::subject) == 0)
      best.push_back(std::move(row));
  return best;
}

/// But what is there already: a cheaper store may be proposed for its speed, too.
void add_new(std::vector<Change> more, std::vector<Change>& changes) {
  for (Change& change : more)
    if (std::ranges::count(changes, change.sets, &Change::sets) == 0)
      changes.push_back(std::move(change));
}

/// Checkpoints as often as goodput is highest with.
void add_interval(const Scenario& scenario, const Result& now, std::vector<Change>& changes) {
  if (!now.failures || !now.failures->best_interval_steps || !scenario.checkpoint) return;
  const std::int64_t best = *now.failures->best_interval_steps;
  const std::int64_t steps = scenario.checkpoint->interval_steps;
  if (best == steps) return;
  changes.push_back({"checkpoint interval",
                     fmt::format("a checkpoint every {} steps instead of {}", best, steps),
                     {fmt::format("checkpoint.interval_steps={}", best)},
                     best > steps ? "they cost more than the work that failures would lose"
                                  : "failures lose more work than checkpoints cost",
                     true});
}

class Trials {
 public:
  Trials(const ScenarioSource& source, const Result& now, std::vector<Change> changes,
         RunMemory& memory)
      : source_(source),
        now_(now),
        memory_(memory),
        changes_(std::move(changes)),
        attempts_(changes_.size()),
        results_(changes_.size()) {}

  void run(const WhatIfRun& run, unsigned jobs) {
    if (run.pool) return run_pooled(run, jobs);
    std::mutex mutex;
    std::int64_t tried = 0;
    in_parallel(changes_.size(), jobs, [&](std::size_t i) {
      attempts_[i] = attempt(changes_[i]);
      const std::scoped_lock lock(mutex);
      run.progress(++tried, static_cast<std::int64_t>(changes_.size()));
    });
  }

  /// Of changes that help.
  void add_chances(std::vector<WhatIfRow>& rows, unsigned jobs, StudyPool* pool) const {
    if (rows.empty()) return;
    const Contestant before = contestant_with({}, now_);
    const auto chance_of = [&](std::size_t i) {
      const auto change = std::ranges::find(changes_, rows[i].sets, &Change::sets);
      const auto overrides = overrides_of(*change);
      const Attempt& attempt = attempts_[static_cast<std::size_t>(change - changes_.begin())];
      // What another worker of a pool simulated is not here.
      const auto after = attempt.trial->result
                             ? attempt.trial->result
                             : std::make_shared<Result>(result_of(source_, overrides, memory_));
      return chance_in_draws(contestant_with(overrides, *after), before);
    };
    if (!pool)
      return in_parallel(rows.size(), jobs, [&](std::size_t i) { rows[i].chance = chance_of(i); });
    const auto told = pool->round(
        rows.size(), jobs, [&](std::size_t i) { return to_json(PooledChance{chance_of(i)}); });
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].chance = pooled_chance_from_json(told[i]).chance;
  }

  void sum_up(WhatIf& report) const {
    std::vector<WhatIfRow> helping, altering, savings, fitting;
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
      const Change& change = changes_[i];
      if (!attempts_[i].trial) {
        not_tried(change, attempts_[i], report);
        continue;
      }
      const Trial& trial = *attempts_[i].trial;
      const WhatIfRow& row = trial.row;
      ++report.tried;
      report.noise = std::max(report.noise, row.noise);
      const bool slower = row.gain < -row.noise;
      if (trial.saves_less_often)
        report.rejected.push_back(
            rejected(row, Rejected::fewer_checkpoints, "a failure would cost more of the work"));
      else if (!trial.does_not_fit.empty())
        report.rejected.push_back(rejected(row, Rejected::does_not_fit, trial.does_not_fit));
      else if (trial.fits)
        fitting.push_back(row);
      else if (helps(row))
        (change.alters ? altering : helping).push_back(row);
      else if (saves(row))
        savings.push_back(row);
      else
        report.rejected.push_back(rejected(row,
                                           slower         ? Rejected::slower
                                           : change.saves ? Rejected::no_saving
                                                          : Rejected::no_difference,
                                           trial.held_back));
    }
    std::ranges::stable_sort(fitting, std::ranges::greater{}, &WhatIfRow::gain);
    report.fitting = std::move(fitting);
    report.rows = kept(helping, report);
    report.altering = kept(altering, report);
    report.savings = best_savings(std::move(savings));
    for (const RejectedChange& one : report.rejected) {
      report.no_change +=
          one.verdict == Rejected::no_difference || one.verdict == Rejected::no_saving;
      report.worse += one.verdict == Rejected::slower;
    }
  }

 private:
  static void not_tried(const Change& change, const Attempt& attempt, WhatIf& report) {
    const bool faulty = !attempt.fault.empty();
    if (faulty)
      report.faults.push_back(change.text + ": " + attempt.fault);
    else
      ++report.refused;
    report.rejected.push_back({change.text,
                               change.sets,
                               faulty ? Rejected::fault : Rejected::not_possible,
                               faulty ? attempt.fault : attempt.refusal,
                               {},
                               {}});
  }

  static std::vector<WhatIfRow> kept(const std::vector<WhatIfRow>& helping, WhatIf& report) {
    std::vector<WhatIfRow> best = without_outdone(helping);
    for (const WhatIfRow& row : helping)
      if (std::ranges::count(best, row.sets, &WhatIfRow::sets) == 0)
        report.rejected.push_back(rejected(row, Rejected::outdone,
                                           "another of its kind costs no more and gives as much"));
    report.outdone += static_cast<std::int64_t>(helping.size() - best.size());
    std::ranges::stable_sort(best, {}, rank_of);
    return best;
  }

  void run_pooled(const WhatIfRun& run, unsigned jobs) {
    const auto of = static_cast<std::int64_t>(changes_.size());
    const auto told = run.pool->round(
        changes_.size(), jobs,
        [&](std::size_t i) {
          const Attempt mine = attempt(changes_[i]);
          // Only what is told counts, so that all workers go on from the same.
          if (mine.trial) results_[i] = mine.trial->result;
          return to_json(told_of(mine));
        },
        [&](std::int64_t tried) { run.progress(tried, of); });
    for (std::size_t i = 0; i < told.size(); ++i) {
      attempts_[i] = attempt_of(pooled_change_from_json(told[i]));
      if (attempts_[i].trial) attempts_[i].trial->result = results_[i];
    }
  }

  static PooledChange told_of(const Attempt& attempt) {
    PooledChange told;
    told.refusal = attempt.refusal;
    told.fault = attempt.fault;
    if (!attempt.trial) return told;
    told.row = attempt.trial->row;
    told.held_back = attempt.trial->held_back;
    told.saves_less_often = attempt.trial->saves_less_often;
    told.does_not_fit = attempt.trial->does_not_fit;
    told.fits = attempt.trial->fits;
    return told;
  }

  static Attempt attempt_of(PooledChange told) {
    Attempt attempt{{}, std::move(told.refusal), std::move(told.fault)};
    if (told.row)
      attempt.trial = Trial{*std::move(told.row),
                            std::move(told.held_back),
                            told.saves_less_often,
                            std::move(told.does_not_fit),
                            told.fits,
                            {}};
    return attempt;
  }

  Contestant contestant_with(const std::vector<Override>& overrides, const Result& result) const {
    constexpr std::size_t kDraws = 200;
    constexpr std::int64_t kSeed = 1;
    const RunMemory::InUse in_use(memory_);
    return contestant(result, drawn(source_.load(overrides), result, kDraws, kSeed));
  }

  /// Nothing where the machine cannot be built, or not simulated, so.
  Attempt attempt(const Change& change) const {
    const FaultsThrow guard;
    try {
      const auto after =
          std::make_shared<Result>(result_of(source_, overrides_of(change), memory_));
      Trial trial{row_of(change, now_, *after),
                  held_back(now_, *after),
                  saves_less_often(now_, *after),
                  {},
                  {},
                  {}};
      if (no_longer_fits(now_, *after)) trial.does_not_fit = claim(*memory_short(*after));
      trial.fits = memory_short(now_) && !memory_short(*after);
      if (helps(trial.row) || trial.fits) trial.result = after;
      return {std::move(trial), {}, {}};
    } catch (const InputError& error) {
      return {{}, sentence(error.problems().front()), {}};
    } catch (const std::exception& error) {
      return {{}, {}, error.what()};
    }
  }

  const ScenarioSource& source_;
  const Result& now_;
  RunMemory& memory_;
  const std::vector<Change> changes_;
  std::vector<Attempt> attempts_;
  std::vector<std::shared_ptr<const Result>> results_;  ///< in a pool: those simulated here
};

}  // namespace

WhatIf what_if(const ScenarioSource& source, const Catalog& catalog, const WhatIfRun& run) {
  const Scenario scenario = source.load();
  require_epochs(scenario, "what would make it faster");
  RunMemory memory;
  const Result now = result_of(source, {}, memory);
  WhatIf report;
  report.title = now.title;
  report.now = figures_of(now);
  report.bottleneck = in_words(now.bottleneck.resource);
  report.bottleneck_why = in_words(now.bottleneck.evidence);
  if (const Warning* const lacking = memory_short(now)) report.does_not_fit = claim(*lacking);
  std::vector<Change> changes = setting_changes(scenario, catalog);
  add_interval(scenario, now, changes);
  if (!run.settings_only) {
    add_new(purchase_changes(scenario, catalog, source), changes);
    add_new(saving_changes(scenario, catalog, source), changes);
  }
  if (run.pool) {
    std::string all;
    for (const Change& change : changes) all += fmt::format("{}\n", fmt::join(change.sets, "\t"));
    run.pool->is_of({{"the scenario", source.canonical_text()},
                     {"the catalog", fingerprint(catalog)},
                     {"the changes", std::move(all)}});
  }
  Trials trials(source, now, std::move(changes), memory);
  // SimGrid has one engine in a process.
  const unsigned jobs = scenario.run.engine == EngineKind::simgrid ? 1 : run.jobs;
  trials.run(run, jobs);
  trials.sum_up(report);
  for (auto* rows : {&report.fitting, &report.rows, &report.altering})
    trials.add_chances(*rows, jobs, run.pool);
  return report;
}

}  // namespace gpufeed
