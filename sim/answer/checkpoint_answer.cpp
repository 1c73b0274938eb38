// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/checkpoint_answer.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpufeed {
namespace {

/// From one checkpoint to the next, that one included.
double period_s(const Plan& plan, const Outcome& outcome) {
  const auto interval = static_cast<double>(plan.checkpoint->interval);
  return interval * (plan.global_batch() / outcome.throughput.value) +
         outcome.saved->later.each.cost.value;
}

bool saves(const Plan& plan, const Outcome& outcome) {
  return plan.checkpoint && outcome.saved && outcome.saved->count() > 0;
}

CheckpointUse use_of(const Plan& plan, const Saved& saved) {
  CheckpointUse use;
  use.count = saved.count();
  use.size_B = plan.checkpoint->size.value;
  use.restart_s = saved.restart.value;
  if (use.count == 0) return use;
  const auto mean = [&](Seconds CheckpointCost::*part) {
    return ((saved.first.each.*part).value * static_cast<double>(saved.first.count) +
            (saved.later.each.*part).value * static_cast<double>(saved.later.count)) /
           static_cast<double>(use.count);
  };
  use.pause_s = mean(&CheckpointCost::pause);
  use.write_s = mean(&CheckpointCost::write);
  use.cost_s = (saved.first.all + saved.later.all).value / static_cast<double>(use.count);
  return use;
}

/// What falls into the first epoch and, on average, into a later one.
void lengthen_epochs(const Plan& plan, const Saved& saved, bool apart, Result& result) {
  const std::int64_t interval = plan.checkpoint->interval;
  const std::int64_t in_first = std::min(plan.steps_per_epoch, plan.steps) / interval;
  const CheckpointCost& first = apart ? saved.first.each : saved.later.each;
  result.first_epoch_s += first.cost.value * static_cast<double>(in_first);
  result.epoch_s += saved.later.each.cost.value * static_cast<double>(plan.steps_per_epoch) /
                    static_cast<double>(interval);
}

}  // namespace

void answer_checkpoints(const Plan& plan, const Outcome& outcome, Result& result) {
  if (!plan.checkpoint || !outcome.saved) return;
  CheckpointUse use = use_of(plan, *outcome.saved);
  const double all = use.cost_s * static_cast<double>(use.count);
  if (use.count > 0) lengthen_epochs(plan, *outcome.saved, outcome.first_epoch.has_value(), result);
  result.training_s += all;
  use.share = all / result.training_s;
  result.checkpoint = use;
  if (use.count == 0)
    result.warnings.push_back(
        fmt::format("training ends after {} steps, before the first checkpoint", plan.steps));
}

Rate rate_with_checkpoints(const Plan& plan, const Outcome& outcome) {
  if (!saves(plan, outcome)) return outcome.throughput;
  return {static_cast<double>(plan.checkpoint->interval) * plan.global_batch() /
          period_s(plan, outcome)};
}

ByResource<double> checkpoint_load(const Plan& plan, const Outcome& outcome) {
  ByResource<double> load(plan.graph.resources.size(), 0.0);
  if (!saves(plan, outcome)) return load;
  const double period = period_s(plan, outcome);
  const auto add = [&](RouteIndex route, Bytes size) {
    for (const ResourceIndex resource : plan.route(route).resources)
      load[resource] += size.value / period;
  };
  for (const auto& writer : plan.checkpoint->writers) {
    add(writer.copy, writer.size);
    for (const auto& piece : writer.pieces) add(piece.route, piece.size);
  }
  return load;
}

}  // namespace gpufeed
