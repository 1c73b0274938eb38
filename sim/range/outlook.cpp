// SPDX-License-Identifier: Apache-2.0
#include "sim/range/outlook.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/job/staging.h"
#include "sim/model/compute.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Where one GPU writes for all, its node stands for no other.
Plan standing_for_itself(Plan plan) {
  for (Resource& resource : plan.graph.resources) resource.stands_for = 1;
  return plan;
}

double time_of_checkpoint(const Plan& plan) {
  ExchangePhase all;
  for (const auto& writer : plan.checkpoint->writers) {
    all.flows.push_back({writer.copy, writer.size});
    for (const auto& piece : writer.pieces) all.flows.push_back({piece.route, piece.size});
  }
  return PhaseTimes(plan).of(all).value;
}

double checkpoint_s(const Scenario& scenario, const Plan& plan) {
  if (!plan.checkpoint) return 0;
  const bool alone = scenario.nodes > 1 && scenario.checkpoint->writers == CheckpointWriters::one;
  return time_of_checkpoint(alone ? standing_for_itself(plan) : plan);
}

double seconds_each(double samples_per_s) {
  return std::isfinite(samples_per_s) && samples_per_s > 0 ? 1 / samples_per_s : 0;
}

/// Where the time of each stage belongs; none for what GPUs do one after the other.
double* place_of(PathStage stage, Outlook& outlook) {
  switch (stage) {
    case PathStage::storage:
    case PathStage::network:
    case PathStage::pcie:
      return &outlook.reading_s;
    case PathStage::workers:
      return &outlook.waiting_s;
    case PathStage::decode:
    case PathStage::process:
    case PathStage::gpu_decode:
      return &outlook.decoding_s;
    case PathStage::copy:
    case PathStage::memory:
      return &outlook.copying_s;
    case PathStage::compute:
    case PathStage::exchange:
      return nullptr;
  }
  return nullptr;
}

double power_sum(const std::array<double, 5>& times) {
  constexpr double kSharpness = 16;
  const double longest = *std::ranges::max_element(times);
  if (longest <= 0) return 0;
  double sum = 0;
  for (const double time : times) sum += std::pow(time / longest, kSharpness);
  return longest * std::pow(sum, 1 / kSharpness);
}

/// Of epochs that all find what the plan says in the mean.
Outlook outlook_of_alike(const Scenario& scenario, const Plan& plan) {
  Outlook out;
  double computing = 0;
  const Loads loads = loads_of(plan);
  for (const auto& stage : stage_limits(plan, loads)) {
    const double time = seconds_each(stage.capacity.value);
    if (stage.kind == PathStage::compute) computing = time;
    if (double* const place = place_of(stage.kind, out)) *place = std::max(*place, time);
  }
  const double step = undisturbed_step(plan).value / plan.global_batch();
  out.compute_s = std::min(step, computing);
  out.before_s = time_before_step(plan).value / plan.global_batch();
  out.exchange_s = std::max(0.0, step - out.compute_s - out.before_s);
  for (const GpuPlan& gpu : plan.gpus)
    out.stages_wait_s = std::max(out.stages_wait_s,
                                 gpu.compute.value * gpu.stages_wait.value / plan.global_batch());
  const double bound = seconds_each(throughput_bound(plan, loads).rate.value);
  const double other =
      std::max({out.reading_s, out.waiting_s, out.decoding_s, out.copying_s, step});
  if (bound > other * (1 + 1e-6)) out.reading_s = bound;  // several resources make the cut together
  const auto gpus = static_cast<double>(gpus_in_use(scenario));
  const double shown = static_cast<double>(plan.gpus.size()) / gpus;
  for (double* const time : {&out.reading_s, &out.waiting_s, &out.decoding_s, &out.copying_s,
                             &out.compute_s, &out.exchange_s, &out.before_s, &out.stages_wait_s})
    *time *= shown;
  return out;
}

/// A few stretches for all of them, each of those that find about as much, whenever they come.
std::vector<HitStretch> joined(std::vector<HitStretch> stretches) {
  constexpr double kFew = 3;
  const auto found_by = [](const HitStretch& stretch) { return stretch.hits.found(); };
  std::ranges::stable_sort(stretches, {}, found_by);
  const double wide = (found_by(stretches.back()) - found_by(stretches.front())) / kFew;
  std::vector<HitStretch> few;
  double begun = found_by(stretches.front());
  for (const HitStretch& next : stretches) {
    const double found = found_by(next);
    if (few.empty() || found - begun > wide) {
      few.push_back(next);
      begun = found;
      continue;
    }
    HitStretch& last = few.back();
    last.epochs += next.epochs;
    last.hits.mix_in(next.hits, next.epochs / last.epochs);
  }
  return few;
}

/// Of the later epochs, by what they find.
void add_filling(const Scenario& scenario, const Plan& plan, Outlook& out) {
  if (plan.filling.empty()) return;
  Plan then = finding(plan, plan.later_hits);
  double all = 0;
  for (const HitStretch& stretch : joined(plan.filling)) {
    then.later_hits = stretch.hits;
    out.filling.push_back(outlook_of_alike(scenario, then));
    out.filling.back().part = stretch.epochs;
    all += stretch.epochs;
  }
  for (Outlook& some : out.filling) some.part /= all;
}

}  // namespace

Outlook outlook_of(const Scenario& scenario, const Plan& plan) {
  Outlook out = outlook_of_alike(scenario, plan);
  add_filling(scenario, plan, out);
  out.checkpoint_s = checkpoint_s(scenario, plan);
  const auto& staging = scenario.data.staging;
  if (staging && staging->mode == StagingMode::before)
    out.copying_in_s = staging_time(scenario).value;
  return out;
}

double sample_time(const Outlook& outlook) {
  if (!outlook.filling.empty()) {
    double mean = 0;
    for (const Outlook& some : outlook.filling) mean += some.part * sample_time(some);
    return mean;
  }
  return power_sum({outlook.reading_s, outlook.waiting_s, outlook.decoding_s, outlook.copying_s,
                    outlook.before_s + outlook.compute_s + outlook.exchange_s});
}

}  // namespace gpufeed
