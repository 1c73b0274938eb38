// SPDX-License-Identifier: Apache-2.0
#include "sim/job/checkpointed.h"

#include <algorithm>
#include <numeric>

#include "sim/job/epoch_times.h"
#include "sim/model/scenario.h"
#include "sim/plan/chosen_engine.h"

namespace gpufeed {
namespace {

/// Steps that no run comes to the end of.
constexpr std::int64_t kEndless = std::int64_t{1} << 40;

/// The difference between all epochs with checkpoints and without is what they cost.
CheckpointCost cost_in_place(const Plan& plan, const Epochs& epochs, const Record& base,
                             const Record& with, std::int64_t count) {
  const double longer =
      epoch_times(plan, with, epochs.steps).all - epoch_times(plan, base, epochs.steps).all;
  const auto saved = static_cast<double>(std::max<std::int64_t>(1, with.saves.saved));
  CheckpointCost cost;
  // Chance may make the run with checkpoints the shorter one.
  cost.cost = {std::max(0.0, longer / static_cast<double>(count))};
  cost.pause = with.saves.pause / saved;
  cost.write =
      with.saves.write / static_cast<double>(std::max<std::int64_t>(1, with.saves.written));
  cost.steps = static_cast<double>(with.steps) / saved;
  cost.spent = with.spent_in_all;
  for (auto& gpu : cost.spent)
    for (double& part : gpu) part /= saved;
  return cost;
}

CheckpointCost measured_cost(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                             const Record& base) {
  const Epochs endless{.steps = kEndless, .per_epoch = kEndless, .hit_rate = epochs.hit_rate};
  return *run_job(scenario, plan, endless, Saving::measured, base.steps).checkpoint;
}

/// What is written after the last step holds no reads back any more. The steps that one write slows
/// down take, undisturbed, its time less what it costs; at most all steps up to the next.
Seconds spared_at_end(const Plan& plan, const Epochs& epochs, const Record& base,
                      const CheckpointCost& each) {
  const bool last_epochs = epochs.before + epochs.steps == plan.steps;
  if (!plan.checkpoint->asynchronous || !last_epochs || each.cost <= each.pause) return {};
  const double step = base.step_time.mean;
  const double slowed = std::max(1.0, std::min((each.write - each.cost).value / step, each.steps));
  const auto left = static_cast<double>(plan.steps % plan.checkpoint->interval);
  return (each.cost - each.pause) * std::max(0.0, 1 - left / slowed);
}

}  // namespace

Record run_job(const Scenario& scenario, const Plan& plan, const Epochs& epochs, Saving saving,
               std::int64_t most_steps) {
  const auto engine = make_engine(scenario.run.engine);
  Random random(static_cast<std::uint64_t>(scenario.run.seed));
  StopRule stop{scenario.run.extrapolate, scenario.run.precision,
                scenario.run.max_steps.value_or(0), saving};
  if (saving == Saving::measured) stop.max_steps = most_steps;
  if (saving == Saving::in_place && most_steps >= epochs.steps) stop.extrapolate = false;
  return TrainingJob(plan, *engine, random, stop, epochs).run();
}

SavedEpochs save_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                        const Record& base) {
  SavedEpochs saved;
  const std::int64_t interval = plan.checkpoint->interval;
  saved.count = (epochs.before + epochs.steps) / interval - epochs.before / interval;
  if (saved.count == 0) return saved;
  const bool short_epochs = !base.epoch_ends.empty() && interval <= epochs.per_epoch;
  if (base.steps == epochs.steps || short_epochs) {
    const Record with = run_job(scenario, plan, epochs, Saving::in_place, base.steps);
    saved.each = cost_in_place(plan, epochs, base, with, saved.count);
    saved.all = saved.each.cost * static_cast<double>(saved.count);
  } else {
    saved.each = measured_cost(scenario, plan, epochs, base);
    saved.all = saved.each.cost * static_cast<double>(saved.count) -
                spared_at_end(plan, epochs, base, saved.each);
    if (epochs.before == 0) saved.all -= saved.each.spared;
  }
  return saved;
}

std::vector<TimeSpent> time_spent(const Record& base, std::int64_t steps,
                                  const SavedEpochs& saved) {
  if (saved.count == 0) return base.spent;
  const auto count = static_cast<double>(saved.count);
  const double undisturbed = std::max(0.0, static_cast<double>(steps) - count * saved.each.steps);
  std::vector<TimeSpent> out = saved.each.spent;
  for (std::size_t g = 0; g < out.size(); ++g) {
    const double all = std::accumulate(base.spent[g].begin(), base.spent[g].end(), 0.0);
    const double times = undisturbed * base.step_time.mean / all;
    for (std::size_t a = 0; a < kActivities; ++a)
      out[g][a] = count * out[g][a] + times * base.spent[g][a];
  }
  return out;
}

}  // namespace gpufeed
