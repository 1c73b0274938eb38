// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/stretch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Of the shortest epoch that stands for longer ones: many times what loaders hold ahead of GPUs.
std::int64_t fewest_steps(const Plan& plan) {
  constexpr std::int64_t kFewest = 256;
  constexpr std::int64_t kStocks = 16;
  return std::max(kFewest, kStocks * plan.loader.stock());
}

/// Two differences tell whether what a step adds still changes.
constexpr std::size_t kFewestRuns = 3;

/// Two epochs like those of `epochs`, of `per_epoch` steps each: they tell what a later one takes,
/// and how alike two are.
Epochs shortened(const Epochs& epochs, std::int64_t per_epoch) {
  Epochs out = epochs;
  out.per_epoch = per_epoch;
  out.steps = 2 * per_epoch;
  out.before = 0;
  return out;
}

/// Epochs that run into one another do not stop by themselves.
Epochs few_of(const Epochs& epochs) {
  constexpr std::int64_t kFew = 4;
  Epochs out = epochs;
  out.steps = std::min(epochs.steps, kFew * epochs.per_epoch);
  return out;
}

/// What chance adds to the square of the time that two epochs take, for each of their steps: by how
/// much the two of each run differ.
double chance_of(const std::vector<Record>& runs) {
  double sum = 0;
  for (const Record& run : runs) {
    const double first = run.epoch_ends.front().value;
    const double differ = (run.epoch_ends.back().value - first) - first;
    sum += differ * differ / static_cast<double>(run.steps);
  }
  return sum / static_cast<double>(runs.size());
}

/// Epochs of one length, and the same ones of twice that.
class Doubled {
 public:
  Doubled(const Record& less, const Record& more)
      : less_(less), more_(more), steps_(more.steps - less.steps) {}

  /// What a further step adds to the time.
  double pace() const { return (more_.end - less_.end).value / static_cast<double>(steps_); }

  /// Deviation of the time that `of` so many steps tells, relative. What both have by chance is
  /// carried as far as what they differ by.
  double deviation(std::int64_t steps, double chance) const {
    const double times = carried(steps);
    const double square = chance * (std::pow(1 + times, 2) * static_cast<double>(more_.steps) +
                                    std::pow(times, 2) * static_cast<double>(less_.steps));
    return std::sqrt(square) / of(steps).end.value;
  }

  /// And that of one run of so many.
  double of_a_run(std::int64_t steps, double chance) const {
    return std::sqrt(chance * static_cast<double>(steps)) / of(steps).end.value;
  }

  /// The epochs of `more` with so many steps.
  Record of(std::int64_t steps) const {
    const double times = carried(steps);
    const auto at = [&](double less, double more) { return more + times * (more - less); };
    Record out = more_;
    out.steps = steps;
    out.end = {at(less_.end.value, more_.end.value)};
    for (std::size_t i = 0; i < out.epoch_ends.size(); ++i)
      out.epoch_ends[i] = {at(less_.epoch_ends[i].value, more_.epoch_ends[i].value)};
    out.last_ready = out.end - (more_.end - more_.last_ready);
    for (std::size_t g = 0; g < out.spent.size(); ++g)
      for (std::size_t a = 0; a < kActivities; ++a)
        out.spent[g][a] = std::max(0.0, at(less_.spent[g][a], more_.spent[g][a]));
    return out;
  }

 private:
  double carried(std::int64_t steps) const {
    return static_cast<double>(steps - more_.steps) / static_cast<double>(steps_);
  }

  const Record& less_;
  const Record& more_;
  std::int64_t steps_;
};

}  // namespace

Record run_alike_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs) {
  const std::int64_t fewest = fewest_steps(plan);
  const bool short_epochs = epochs.per_epoch <= ((1 << kFewestRuns) - 1) * fewest;
  if (epochs.hits.flat() || !scenario.run.extrapolate || scenario.run.max_steps)
    return run_job(scenario, plan, epochs);
  if (short_epochs) return run_job(scenario, plan, plan.streams() ? few_of(epochs) : epochs);
  std::vector<Record> runs;
  std::int64_t simulated = 0;
  for (std::int64_t steps = fewest; 2 * steps <= epochs.per_epoch; steps *= 2) {
    runs.push_back(run_job(scenario, plan, shortened(epochs, steps)));
    simulated += runs.back().steps;
    if (runs.size() < kFewestRuns) continue;
    const Doubled last(runs[runs.size() - 2], runs.back());
    const double before = Doubled(runs[runs.size() - 3], runs[runs.size() - 2]).pace();
    const double change = std::abs(last.pace() / before - 1);
    const std::int64_t all = shortened(epochs, epochs.per_epoch).steps;
    const double chance = chance_of(runs);
    const double t = t_quantile(static_cast<double>(runs.size()));
    const double known = std::hypot(change, t * last.deviation(all, chance));
    if (known > scenario.run.precision.value) continue;
    Record record = last.of(all);
    record.simulated = simulated;
    record.known_to = known;
    record.runs_differ = t * last.of_a_run(all, chance);
    record.step_time = {record.end.value / static_cast<double>(record.steps), known};
    return record;
  }
  return run_job(scenario, plan, plan.streams() ? few_of(epochs) : epochs);
}

}  // namespace gpufeed
