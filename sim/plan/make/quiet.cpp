// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/quiet.h"

#include <algorithm>
#include <map>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Load of a memory up to which bursts hardly ever fill it: twice the mean still fits. An estimate;
/// a stricter one would only give the engine more to do.
constexpr double kQuiet = 0.5;

/// Bytes per second of one phase on each resource that it crosses.
std::map<ResourceIndex, double> rates_of(const Plan& plan, PhaseTimes& times,
                                         const ExchangePhase& phase) {
  std::map<ResourceIndex, double> rates;
  const Seconds time = times.of(phase);
  for (const auto& flow : phase.flows)
    for (const ResourceIndex resource : plan.route(flow.route).resources)
      rates[resource] += flow.size.value / time.value;
  return rates;
}

/// Bytes per second of gradients on each resource, while most of them travel: asynchronous, as if
/// all GPUs sent and fetched at the same time.
ByResource<double> gradient_rates(const Plan& plan) {
  ByResource<double> most(plan.graph.resources.size(), 0.0);
  PhaseTimes times(plan);
  for (const auto& phase : plan.exchange)
    for (const auto& [r, rate] : rates_of(plan, times, phase)) most[r] = std::max(most[r], rate);
  for (const auto& gpu : plan.gpus)
    for (const auto& phase : gpu.exchange)
      for (const auto& [r, rate] : rates_of(plan, times, phase)) most[r] += rate;
  return most;
}

}  // namespace

ByResource<bool> quiet_memories(const Plan& plan) {
  ByResource<bool> quiet(plan.graph.resources.size(), false);
  // A GPU waits for every copy in order, however little it takes of the memory.
  if (plan.checkpoint || plan.copies_in_order) return quiet;
  const Rate most = throughput_bound(plan).rate;
  const Loads loads = loads_of(plan);
  const auto gradients = gradient_rates(plan);
  for (const ResourceIndex r : quiet.indices()) {
    const Resource& resource = plan.graph.resources[r];
    quiet[r] =
        resource.kind == ResourceKind::memory &&
        loads.total(r) * most.value < kQuiet * resource.capacity.value &&
        (loads.read[r] + loads.copied[r]) * most.value + gradients[r] < resource.capacity.value;
  }
  return quiet;
}

}  // namespace gpufeed
