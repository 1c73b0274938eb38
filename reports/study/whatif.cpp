// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "reports/study/faster.h"
#include "reports/study/in_parallel.h"
#include "reports/study/runs_epochs.h"
#include "reports/study/study_pool.h"
#include "reports/study/whatif_rows.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/pooled_json.h"
#include "sim/base/fault.h"
#include "sim/bounds.h"
#include "sim/elasticity.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/load/read/fingerprint.h"
#include "sim/model/scenario.h"
#include "sim/range/effects.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

/// What is wrong is told as a sentence, not where it stands.
Scenario loaded(const ScenarioSource& source, const std::vector<Override>& overrides) {
  Scenario scenario = source.load(overrides, Blame::nothing);
  scenario.run.once();
  return scenario;
}

Result result_of(const Scenario& scenario, RunMemory& memory) {
  const RunMemory::InUse in_use(memory);
  return called_by_title(simulate(scenario), scenario);
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
  std::string bounded;  ///< what keeps the job from becoming faster
  std::string refusal;
  std::string fault;
};

RejectedChange rejected(const WhatIfRow& row, Rejected verdict, std::string cause) {
  return {row.change, row.sets, verdict, std::move(cause), row.gain, row.noise};
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
  void add_chances(const std::vector<WhatIfRow*>& rows, unsigned jobs, StudyPool* pool) const {
    if (rows.empty()) return;
    std::vector<std::optional<Contestant>> all(rows.size() + 1);  // the scenario as it is, and each
    const auto draw = [&](std::size_t i) {
      all[i] = i == 0 ? contestant_with({}, now_) : changed(*rows[i - 1]);
    };
    const auto chance_of = [&](std::size_t i) { return chance_in_draws(*all[i + 1], *all[0]); };
    if (!pool) {
      in_parallel(all.size(), jobs, draw);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->chance = chance_of(i);
      return;
    }
    draw(0);
    const auto told = pool->round(rows.size(), jobs, [&](std::size_t i) {
      draw(i + 1);
      return to_json(PooledChance{chance_of(i)});
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i]->chance = pooled_chance_from_json(told[i]).chance;
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
    if (!attempt.bounded.empty()) {
      ++report.tried;
      ++report.bounded;
      return report.rejected.push_back(
          {change.text, change.sets, Rejected::bounded, attempt.bounded, {}, {}});
    }
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
    told.bounded = attempt.bounded;
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
    Attempt attempt{{}, std::move(told.bounded), std::move(told.refusal), std::move(told.fault)};
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

  /// One that helps. What another worker of a pool simulated is not here.
  Contestant changed(const WhatIfRow& row) const {
    const auto change = std::ranges::find(changes_, row.sets, &Change::sets);
    const auto overrides = overrides_of(*change);
    const Attempt& attempt = attempts_[static_cast<std::size_t>(change - changes_.begin())];
    if (attempt.trial->result) return contestant_with(overrides, *attempt.trial->result);
    return contestant_with(overrides, result_of(loaded(source_, overrides), memory_));
  }

  /// What keeps a change from helping, as no schedule gives more than what is reached now; empty
  /// where it may help, cost less, or make the job fit.
  std::string bound_of(const Change& change, const Scenario& scenario) const {
    if (memory_short(now_)) return "";
    const Result best = called_by_title(optimistic_result(scenario), scenario);
    const WhatIfRow row = row_of(change, now_, best);
    const double most = best.throughput_samples_per_s;
    if (most > now_.job_samples_per_s * (1 + kLeastGain)) return "";
    if (row.price_change_USD && *row.price_change_USD < 0) return "";
    return fmt::format("at most {} samples/s, by {}", text_number(most),
                       some_of(in_words(best.bound.cut), ", "));
  }

  /// Nothing where the machine cannot be built, or not simulated, so.
  Attempt attempt(const Change& change) const {
    const FaultsThrow guard;
    try {
      Scenario scenario = loaded(source_, overrides_of(change));
      if (std::string bounded = bound_of(change, scenario); !bounded.empty())
        return {{}, std::move(bounded), {}, {}};
      const auto after = std::make_shared<Result>(result_of(scenario, memory_));
      Trial trial{row_of(change, now_, *after),
                  held_back(now_, *after),
                  saves_less_often(now_, *after),
                  {},
                  {},
                  {}};
      if (no_longer_fits(now_, *after)) trial.does_not_fit = claim(*memory_short(*after));
      trial.fits = memory_short(now_) && !memory_short(*after);
      if (helps(trial.row) || trial.fits) trial.result = after;
      return {std::move(trial), {}, {}, {}};
    } catch (const InputError& error) {
      return {{}, {}, sentence(error.problems().front()), {}};
    } catch (const std::exception& error) {
      return {{}, {}, {}, error.what()};
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
  // SimGrid has one engine in a process.
  const unsigned jobs = scenario.run.engine == EngineKind::simgrid ? 1 : run.jobs;
  RunMemory memory;
  Result now;
  std::vector<Change> changes, bought;
  both(
      jobs, [&] { now = result_of(loaded(source, {}), memory); },
      [&] {
        changes = setting_changes(scenario, catalog);
        if (run.settings_only) return;
        add_new(purchase_changes(scenario, catalog, source), bought);
        add_new(saving_changes(scenario, catalog, source), bought);
      });
  WhatIf report;
  report.title = now.title;
  report.now = figures_of(now);
  report.bottleneck = in_words(now.bottleneck.resource);
  report.bottleneck_why = in_words(now.bottleneck.evidence);
  if (const Warning* const lacking = memory_short(now)) report.does_not_fit = claim(*lacking);
  add_interval(scenario, now, changes);
  add_new(std::move(bought), changes);
  if (run.pool) {
    std::string all;
    for (const Change& change : changes) all += fmt::format("{}\n", fmt::join(change.sets, "\t"));
    run.pool->is_of({{"the scenario", source.canonical_text()},
                     {"the catalog", fingerprint(catalog)},
                     {"the changes", std::move(all)}});
  }
  Trials trials(source, now, std::move(changes), memory);
  trials.run(run, jobs);
  trials.sum_up(report);
  std::vector<WhatIfRow*> helping;
  for (auto* rows : {&report.fitting, &report.rows, &report.altering})
    for (WhatIfRow& row : *rows) helping.push_back(&row);
  trials.add_chances(helping, jobs, run.pool);
  return report;
}

}  // namespace gpufeed
