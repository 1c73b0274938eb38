// SPDX-License-Identifier: Apache-2.0
#include "reports/study/whatif.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>
#include <tuple>

#include "reports/study/in_parallel.h"
#include "reports/study/runs_epochs.h"
#include "reports/writers/phrase_book.h"
#include "sim/base/fault.h"
#include "sim/elasticity.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/model/scenario.h"
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
          result.without_price};
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

/// Whether training then ends before its first checkpoint.
bool loses_checkpoints(const Result& now, const Result& after) {
  return now.checkpoint && now.checkpoint->count > 0 && after.checkpoint &&
         after.checkpoint->count == 0;
}

WhatIfRow row_of(const Change& change, const Result& now, const Result& after) {
  WhatIfRow row;
  row.change = change.text;
  row.subject = change.subject;
  row.is_free = change.is_free;
  row.sets = change.sets;
  row.why = change.why;
  if (after.bottleneck.resource != now.bottleneck.resource)
    row.why += fmt::format("; then {} would hold the job back instead of {}",
                           in_words(after.bottleneck.resource), in_words(now.bottleneck.resource));
  if (loses_checkpoints(now, after)) row.why += "; training then ends before the first checkpoint";
  row.why += new_warnings(now, after);
  row.after = figures_of(after);
  row.throughput_gain = after.throughput_samples_per_s / now.throughput_samples_per_s - 1;
  row.noise = noise_of(now, after, kLeastGain);
  row.gain = after.job_samples_per_s / now.job_samples_per_s - 1;
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

class Trials {
 public:
  Trials(const ScenarioSource& source, const Result& now, std::vector<Change> changes,
         RunMemory& memory)
      : source_(source),
        now_(now),
        memory_(memory),
        changes_(std::move(changes)),
        rows_(changes_.size()),
        faults_(changes_.size()) {}

  void run(const WhatIfRun& run, unsigned jobs) {
    std::mutex mutex;
    std::int64_t tried = 0;
    in_parallel(changes_.size(), jobs, [&](std::size_t i) {
      rows_[i] = attempt(changes_[i], faults_[i]);
      const std::scoped_lock lock(mutex);
      run.progress(++tried, static_cast<std::int64_t>(changes_.size()));
    });
  }

  void sum_up(WhatIf& report) const {
    std::vector<WhatIfRow> helping;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& row = rows_[i];
      if (!row && !faults_[i].empty())
        report.faults.push_back(changes_[i].text + ": " + faults_[i]);
      else if (!row)
        ++report.refused;
      if (!row) continue;
      ++report.tried;
      report.noise = std::max(report.noise, row->noise);
      if (helps(*row))
        helping.push_back(*row);
      else
        ++(row->gain < -row->noise ? report.worse : report.no_change);
    }
    report.rows = without_outdone(helping);
    report.outdone = static_cast<std::int64_t>(helping.size() - report.rows.size());
    std::ranges::stable_sort(report.rows, {}, rank_of);
  }

 private:
  /// Nothing where the machine cannot be built, or not simulated, so.
  std::optional<WhatIfRow> attempt(const Change& change, std::string& fault) const {
    const FaultsThrow guard;
    try {
      return row_of(change, now_, result_of(source_, overrides_of(change), memory_));
    } catch (const InputError&) {
    } catch (const std::exception& error) {
      fault = error.what();
    }
    return {};
  }

  const ScenarioSource& source_;
  const Result& now_;
  RunMemory& memory_;
  const std::vector<Change> changes_;
  std::vector<std::optional<WhatIfRow>> rows_;
  std::vector<std::string> faults_;  ///< empty where there was none
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
  std::vector<Change> changes = setting_changes(scenario);
  if (!run.settings_only)
    std::ranges::move(purchase_changes(scenario, catalog, source), std::back_inserter(changes));
  Trials trials(source, now, std::move(changes), memory);
  // SimGrid has one engine in a process.
  trials.run(run, scenario.run.engine == EngineKind::simgrid ? 1 : run.jobs);
  trials.sum_up(report);
  return report;
}

}  // namespace gpufeed
