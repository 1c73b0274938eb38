// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/checkpoint_answer.h"

#include <algorithm>
#include <limits>

namespace gpufeed {
namespace {

CheckpointUse use_of(const Plan& plan, const Saved& saved) {
  CheckpointUse use;
  use.count = saved.count();
  use.size_B = plan.checkpoint->size.value;
  use.restart_s = saved.restart.value;
  if (use.count == 0) {
    constexpr double kNotKnown = std::numeric_limits<double>::infinity();
    use.pause_s = use.write_s = use.cost_s = use.share = kNotKnown;
    return use;
  }
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

}  // namespace

void answer_checkpoints(const Plan& plan, const Outcome& outcome, Result& result) {
  if (!plan.checkpoint || !outcome.saved) return;
  CheckpointUse use = use_of(plan, *outcome.saved);
  if (use.count > 0) use.share = use.cost_s * static_cast<double>(use.count) / result.training_s;
  result.checkpoint = use;
  if (use.count == 0) result.warnings.push_back(fact<WarningCode::no_checkpoint>(plan.steps));
}

ByResource<double> checkpoint_load(const Plan& plan, const Outcome& outcome) {
  ByResource<double> load(plan.graph.resources.size(), 0.0);
  if (!outcome.saved) return load;
  const SavedEpochs& saved = outcome.saved->later;
  const auto count = static_cast<double>(saved.count);
  const auto add = [&](RouteIndex route, Bytes moved) {
    for (const ResourceIndex resource : plan.route(route).resources)
      load[resource] += moved.value / outcome.epochs.all_s();
  };
  // Of nodes that are alike, the first were simulated.
  const auto left = [](const std::vector<Bytes>& parts, std::size_t i) {
    return parts.empty() ? Bytes{} : parts[i % parts.size()];
  };
  std::size_t p = 0;
  std::size_t w = 0;
  for (const auto& writer : plan.checkpoint->writers) {
    add(writer.copy, writer.size * count);
    add(writer.by_software, writer.size * count - left(saved.unsaved.uncopied, w++));
    for (const auto& piece : writer.pieces)
      add(piece.route, piece.size * count - left(saved.unsaved.unwritten, p++));
  }
  return load;
}

}  // namespace gpufeed
