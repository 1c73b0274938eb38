// SPDX-License-Identifier: Apache-2.0
#include "sim/job/checkpoint_cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/plan/limits/stages.h"

namespace gpufeed {

CheckpointMeter::CheckpointMeter(const Plan& plan, std::int64_t segment_steps, Ratio precision)
    : interval_(plan.checkpoint->interval),
      segment_steps_(segment_steps),
      precision_(precision.value),
      undisturbed_s_(fed_step(plan).value),
      cycle_(static_cast<double>(plan.loader.batches_at_once)),
      stock_(static_cast<double>(plan.loader.stock())),
      checkpoints_((segment_steps + interval_ - 1) / interval_) {}

void CheckpointMeter::begin(const Confidence& step, Pace pace, const Mark& mark) {
  begun_ = true;
  step_ = step;
  pace_ = pace;
  start_ = mark;
  stock_at_start_ = stock_at(mark);
  // A pause sets all workers going at once. Where GPUs wait for them, that costs time until chance
  // has spread them again.
  constexpr std::int64_t kSpread = 64;
  rest_ = segment_steps_ * (gpus_wait(step.mean, undisturbed_s_, precision_) ? kSpread : 1);
}

bool CheckpointMeter::due() const {
  return begun_ && steps_ % interval_ == 0 && steps_ / interval_ < checkpoints_;
}

bool CheckpointMeter::step_ended(bool writing) {
  ++steps_;
  steps_at_rest_ = writing ? 0 : steps_at_rest_ + 1;
  if (cut()) return true;
  const bool all_saved = steps_ > (checkpoints_ - 1) * interval_;
  return all_saved && steps_at_rest_ >= rest_ && steps_ % segment_steps_ == 0;
}

void CheckpointMeter::end_window(const Mark& mark) {
  // A stock that after so many times its size still fills or drains no longer costs time.
  constexpr double kPatience = 8;
  const bool stock_is_back = std::abs(stock_at(mark) - stock_at_start_) <= cycle_;
  const bool long_ago = static_cast<double>(steps_at_rest_) >= kPatience * stock_;
  if (!cut() && !stock_is_back && !long_ago) return;
  any_cut_ = any_cut_ || cut();
  windows_.push_back({std::exchange(start_, mark), mark});
  steps_ = steps_at_rest_ = 0;
}

double CheckpointMeter::passed_at(const Mark& mark) const {
  if (pace_ == Pace::read) return mark.supply.read;
  if (pace_ == Pace::decoded) return mark.supply.decoded;
  return static_cast<double>(mark.steps);
}

double CheckpointMeter::stock_at(const Mark& mark) const {
  return mark.supply.read - static_cast<double>(mark.steps);
}

double CheckpointMeter::cost_of(const Window& window) const {
  const double passed = passed_at(window.end) - passed_at(window.start);
  const double time = (window.end.date - window.start.date).value;
  return (time - passed * step_.mean) / static_cast<double>(checkpoints_);
}

/// Where one checkpoint meets the next, the first windows lead up to what then lasts.
std::size_t CheckpointMeter::first_used() const {
  if (!any_cut_ || windows_.empty()) return 0;
  return warm_up_of(windows_.size());
}

std::vector<double> CheckpointMeter::costs() const {
  std::vector<double> costs;
  for (std::size_t w = first_used(); w < windows_.size(); ++w)
    costs.push_back(cost_of(windows_[w]));
  return costs;
}

bool CheckpointMeter::done() const {
  constexpr std::size_t kMostWindows = 32;  // then chance is what differs, and no more will tell
  // Two tell whether they agree; where checkpoints meet, a third whether they still drift.
  const std::size_t fewest = any_cut_ ? 3 : 2;
  if (windows_.empty() || used() < fewest || steps_ > 0) return false;
  if (windows_.size() >= kMostWindows) return true;
  const Confidence cost = confidence_of(costs());
  if (cost.mean == 0) return true;
  const double known_to = std::abs(cost.mean) * cost.half_width;
  constexpr double kMany = 8;  // a few may agree by chance, so they must agree the better
  const double precision = precision_ * std::min(1.0, static_cast<double>(used() - 1) / kMany);
  return known_to <= precision * (static_cast<double>(interval_) * step_.mean + cost.mean);
}

/// Chance may make a window with a checkpoint shorter than others; a checkpoint never does. Where
/// GPUs wait for no loader, nothing makes up for a pause either, and what differs from it by less
/// than chance is chance.
double CheckpointMeter::mean_cost(Seconds pause) const {
  const std::vector<double> values = costs();
  const Confidence cost =
      values.size() < 2 ? Confidence{values.front(), kUnknown} : confidence_of(values);
  if (gpus_wait(step_.mean, undisturbed_s_, precision_)) return std::max(0.0, cost.mean);
  const bool by_chance = std::abs(cost.mean - pause.value) <= std::abs(cost.mean) * cost.half_width;
  return by_chance ? pause.value : std::max(pause.value, cost.mean);
}

CheckpointCost CheckpointMeter::cost() const {
  const Window& first = windows_[first_used()];
  const Window& last = windows_.back();
  const SaveLog& from = first.start.log;
  const SaveLog& to = last.end.log;
  const auto saved = static_cast<double>(to.saved - from.saved);
  CheckpointCost out;
  out.pause = (to.pause - from.pause) / saved;
  out.cost = {mean_cost(out.pause)};
  for (std::size_t w = 0; w < first_used(); ++w)
    out.spared += {(out.cost.value - cost_of(windows_[w])) * static_cast<double>(checkpoints_)};
  out.spared = std::max(out.spared, Seconds{});
  const auto written = static_cast<double>(std::max<std::int64_t>(1, to.written - from.written));
  out.write = (to.write - from.write) / written;
  const auto& unwritten = to.unsaved.unwritten;
  for (std::size_t p = 0; any_cut_ && p < unwritten.size(); ++p)
    out.piled_up.push_back((unwritten[p] - from.unsaved.unwritten[p]) / saved);
  out.steps = static_cast<double>(last.end.steps - first.start.steps) / saved;
  out.spent = last.end.spent;
  for (std::size_t g = 0; g < out.spent.size(); ++g)
    for (std::size_t a = 0; a < kActivities; ++a)
      out.spent[g][a] = (out.spent[g][a] - first.start.spent[g][a]) / saved;
  return out;
}

}  // namespace gpufeed
