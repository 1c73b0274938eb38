// SPDX-License-Identifier: Apache-2.0
#include "sim/job/fold/alike.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/job/exchange_job.h"
#include "sim/job/links/binding.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

// Estimates, with which few nodes keep within 0.5 % of all (tests/physics/folding_test.cpp holds
// them against each other). Stricter ones would only simulate more nodes than it takes.

/// Load of what nodes share up to which nobody takes from others: twice the mean still fits.
constexpr double kBusy = 0.5;
/// With so many times the rate in reserve, those readers that still wait take all that a store
/// gives: a third of them can.
constexpr double kAmple = 3;
/// Share of a step by which loaders may hold gradients up: on which node they do is chance.
constexpr double kUndisturbed = 0.03;
/// Of the time of an epoch or a step; what is left of the 0.5 % is for the rest.
constexpr double kNegligible = 0.002;

/// The plan as the first epoch finds it: the page cache holds nothing.
Plan without_cache(Plan plan) {
  plan.first_hits = plan.later_hits = {};
  return plan;
}

/// How far the time of a worker's batch strays, as its share: its own work, sizes of samples, and
/// how many of them the page cache or a drive holds.
double deviation_of_batch(const Plan& plan) {
  const double batch = static_cast<double>(plan.batch);
  const double size = plan.sample_size_deviation / plan.sample_size;
  double square = plan.jitter.value * plan.jitter.value + size * size / batch;
  const double hits = plan.hit_rate();
  if (hits > 0) square += hits / std::max(batch * (1 - hits), 1.0);
  if (plan.whole_files) square += (static_cast<double>(plan.sources.size()) - 1) / batch;
  return std::sqrt(square);
}

/// Standard deviations by which the latest of so many is late.
double lateness(double count) { return std::sqrt(2 * std::log(std::max(count, 2.0))); }

/// What resources could deliver of which each is used by one node alone, or else by several;
/// gradients aside.
Rate rate_of_resources(const Plan& plan, bool of_one) {
  const Loads loads = loads_of(plan);
  Rate rate{std::numeric_limits<double>::infinity()};
  for (const ResourceIndex r : loads.read.indices()) {
    const Resource& resource = plan.graph.resources[r];
    const double load = loads.read[r] + loads.copied[r];
    if (load > 0 && (resource.nodes.count == 1) == of_one)
      rate = std::min(rate, Rate{resource.capacity.value / load});
  }
  return rate;
}

/// What each node could deliver by itself, gradients and computing aside.
Rate rate_of_nodes(const Plan& plan) {
  Rate rate = rate_of_resources(plan, true);
  for (const auto& stage : stage_limits(plan, loads_of(plan)))
    if (stage.kind == PathStage::decode || stage.kind == PathStage::workers ||
        stage.kind == PathStage::copy)
      rate = std::min(rate, stage.capacity);
  return rate;
}

/// Whether chance on some node may hold all others up: what nodes could deliver by themselves is no
/// more than what is asked of them and what a late batch adds to that.
bool nodes_hold_up(const Plan& few, double gpus) {
  const Plan cold = without_cache(few);
  const double late = deviation_of_batch(few) * lateness(gpus) /
                      std::sqrt(static_cast<double>(few.loader.prefetch_factor));
  return std::ranges::any_of(std::array{&few, &cold}, [&](const Plan* plan) {
    return throughput_bound(*plan).rate / rate_of_nodes(*plan) + late > 1;
  });
}

/// Whether it weighs in an epoch how much later the first batch of many comes than that of few.
bool epochs_are_short(const Plan& few, double gpus) {
  const Plan cold = without_cache(few);
  const double first_batches = static_cast<double>(few.loader.batches_at_once) * few.global_batch();
  const double late =
      deviation_of_batch(few) * (lateness(gpus) - lateness(static_cast<double>(few.gpus.size())));
  const double epoch = static_cast<double>(few.steps_per_epoch) * few.global_batch();
  return late * (first_batches / rate_of_nodes(cold).value) >
         kNegligible * (epoch / throughput_bound(few).rate.value);
}

/// Share of a step that gradients take, at most.
double exchange_share(const Plan& few) {
  return exchange_time(few).value * throughput_bound(few).rate.value / few.global_batch();
}

/// Share of a step for which what loaders move holds gradients up, at most.
double disturbance(const Plan& few) {
  const Loads loads = loads_of(few);
  const Rate rate = throughput_bound(few).rate;
  double busy = 0;
  for (const ResourceIndex r : loads.read.indices())
    if (loads.exchanged[r] > 0)
      busy = std::max(busy, (loads.read[r] + loads.copied[r]) * rate.value /
                                few.graph.resources[r].capacity.value);
  return busy * exchange_share(few);
}

/// Whether part of a store that all wait for may lie idle when only those readers are left that
/// receive least of it: how many these are is chance.
bool starves_a_reader(const Plan& few) {
  const Plan cold = without_cache(few);
  const Rate rate = throughput_bound(cold).rate;
  return rate > rate_of_resources(cold, false) * kBusy && rate_of_nodes(cold) < rate * kAmple;
}

}  // namespace

bool shares_differ(const Plan& plan) {
  return std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) {
    return gpu.share.eighths != plan.gpus.front().share.eighths;
  });
}

std::string difference_of_nodes(const Plan& all, const Plan& few, double unlike) {
  const auto gpus = static_cast<double>(all.gpus.size());
  if (shares_differ(all) && starves_a_reader(few)) return "readers share a busy store unevenly";
  if (epochs_are_short(few, gpus)) return "epochs are short, and begin with the latest first batch";
  if (nodes_hold_up(few, gpus)) return "a late batch of one node may hold up all";
  const bool meets = meets_loaders(few, binding_resources(few));
  if (meets && unlike * exchange_share(few) > kNegligible)
    return "nodes take unlike parts in the exchange, which loaders disturb";
  if (meets && disturbance(few) > kUndisturbed) return "loaders hold gradients up, by chance";
  return "";
}

}  // namespace gpufeed
