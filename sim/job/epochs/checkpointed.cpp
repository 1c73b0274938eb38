// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/checkpointed.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/job/epochs/account.h"
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
      account_of(plan, with, epochs).trained.all_s - account_of(plan, base, epochs).trained.all_s;
  const auto saved = static_cast<double>(std::max<std::int64_t>(1, with.saves.saved));
  CheckpointCost cost;
  // Chance may make the run with checkpoints the shorter one.
  cost.cost = {std::max(0.0, longer / static_cast<double>(count))};
  cost.pause = with.saves.pause / saved;
  cost.write =
      with.saves.write / static_cast<double>(std::max<std::int64_t>(1, with.saves.written));
  cost.steps = static_cast<double>(with.steps) / saved;
  cost.spent = with.spent;
  for (auto& gpu : cost.spent)
    for (double& part : gpu) part /= saved;
  return cost;
}

Record measured(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                const Record& base) {
  const Epochs endless{
      .steps = kEndless, .per_epoch = kEndless, .hits = flat_hits(epochs.hits.mean())};
  return run_job(scenario, plan, endless, Saving::measured, base.simulated);
}

/// What is written after the last step holds no reads back any more. The steps that one write slows
/// down take, undisturbed, its time less what it costs; at most all steps up to the next.
Seconds spared_at_end(const Plan& plan, const Epochs& epochs, const Record& base,
                      const CheckpointCost& each) {
  const bool last_epochs = epochs.before + epochs.steps == plan.steps;
  const CheckpointPlan& checkpoint = *plan.checkpoint;
  const bool in_background = checkpoint.asynchronous || checkpoint.writers.front().into_cache;
  if (!in_background || !last_epochs || each.cost <= each.pause) return {};
  const double step = base.step_time.mean;
  const double slowed = std::max(1.0, std::min((each.write - each.cost).value / step, each.steps));
  const auto left = static_cast<double>(plan.steps % plan.checkpoint->interval);
  return (each.cost - each.pause) * std::max(0.0, 1 - left / slowed);
}

}  // namespace

Record run_job(const Scenario& scenario, const Plan& plan, const Epochs& epochs, Saving saving,
               std::int64_t most_steps) {
  const auto engine = make_engine(scenario.run.engine);
  StopRule stop{scenario.run.extrapolate, scenario.run.precision,
                scenario.run.max_steps.value_or(0), saving, scenario.run.timeline};
  if (saving == Saving::measured) stop.max_steps = most_steps;
  if (saving == Saving::in_place && most_steps >= epochs.steps) stop.extrapolate = false;
  const auto seed = static_cast<std::uint64_t>(scenario.run.seed);
  return TrainingJob(plan, *engine, seed, stop, epochs).run();
}

SavedEpochs save_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                        const Record& base) {
  SavedEpochs saved;
  const std::int64_t interval = plan.checkpoint->interval;
  saved.count = (epochs.before + epochs.steps) / interval - epochs.before / interval;
  if (saved.count == 0) return saved;
  const bool whole_epochs = !base.epoch_ends.empty() && base.simulated == base.steps;
  const bool often = interval <= epochs.per_epoch && !plan.streams();
  if (base.simulated == epochs.steps || (whole_epochs && often)) {
    Record with = run_job(scenario, plan, epochs, Saving::in_place, base.steps);
    saved.around = std::move(with.recorded.at_checkpoint);
    saved.each = cost_in_place(plan, epochs, base, with, saved.count);
    saved.all = saved.each.cost * static_cast<double>(saved.count);
  } else {
    Record with = measured(scenario, plan, epochs, base);
    saved.around = std::move(with.recorded.at_checkpoint);
    saved.each = std::move(*with.checkpoint);
    saved.all = saved.each.cost * static_cast<double>(saved.count) -
                spared_at_end(plan, epochs, base, saved.each);
    if (epochs.before == 0) saved.all -= saved.each.spared;
  }
  return saved;
}

}  // namespace gpufeed
