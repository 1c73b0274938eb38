// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/uncontended.h"

#include <algorithm>
#include <utility>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Load of a memory up to which bursts hardly ever fill it: twice the mean still fits. An estimate;
/// a stricter one would only give the engine more to do.
constexpr double kUncontended = 0.5;
constexpr double kNearly = 1 - 1e-9;  ///< of a capacity, which rounding may hide

/// Tells the bytes per second of one phase on each resource that it crosses, once its wait is over.
/// \param rates  of every resource, zero between calls
/// \param tell   (resource, rate)
template <class Tell>
void tell_rates(const Plan& plan, PhaseTimes& times, const ExchangePhase& phase,
                ByResource<double>& rates, Tell&& tell) {
  const Seconds time = times.of(phase) - phase.latency;
  for (const auto& flow : phase.flows)
    for (const ResourceIndex resource : plan.route(flow.route).resources)
      rates[resource] += flow.size.value * plan.resource(resource).stands_for / time.value;
  for (const auto& flow : phase.flows)
    for (const ResourceIndex resource : plan.route(flow.route).resources)
      tell(resource, std::exchange(rates[resource], 0.0));
}

/// Bytes per second of gradients on each resource, while most of them travel: asynchronous, as if
/// all GPUs sent and fetched at the same time.
ByResource<double> gradient_rates(const Plan& plan) {
  ByResource<double> most(plan.graph.resources.size(), 0.0);
  ByResource<double> rates = most;
  PhaseTimes times(plan);
  for (const auto& phase : plan.exchange)
    tell_rates(plan, times, phase, rates,
               [&](ResourceIndex r, double rate) { most[r] = std::max(most[r], rate); });
  for (const auto& gpu : plan.gpus)
    for (const auto& phase : gpu.exchange)
      tell_rates(plan, times, phase, rates, [&](ResourceIndex r, double rate) { most[r] += rate; });
  return most;
}

/// Whether a transfer of the job is held back by each resource even if nothing else is under way.
ByResource<bool> hold_back_alone(const Plan& plan) {
  ByResource<bool> holds(plan.graph.resources.size(), false);
  const auto mark = [&](RouteIndex index) {
    const Route& route = plan.route(index);
    const Bandwidth alone = solo_rate(plan.graph, route);
    for (const ResourceIndex resource : route.resources)
      if (alone * times_taken(route, resource) >= plan.resource(resource).capacity * kNearly)
        holds[resource] = true;
  };
  for (const auto& gpu : plan.gpus) {
    for (const auto* routes : {&gpu.reads, &gpu.pulls, &gpu.passes})
      for (const RouteIndex read : *routes) mark(read);
    if (gpu.copy) mark(*gpu.copy);
  }
  return holds;
}

/// Whatever epochs find in the page cache is what the plan says.
ByResource<bool> uncontended_now(const Plan& plan) {
  ByResource<bool> uncontended(plan.graph.resources.size(), false);
  const Loads loads = loads_of(plan);
  const Rate most = throughput_bound(plan, loads).rate;
  const auto gradients = gradient_rates(plan);
  const auto alone = hold_back_alone(plan);
  for (const ResourceIndex r : uncontended.indices()) {
    const Resource& resource = plan.graph.resources[r];
    uncontended[r] = resource.kind == ResourceKind::memory && !alone[r] &&
                     loads.total(r) * most.value < kUncontended * resource.capacity.value &&
                     (loads.read[r] + loads.copied[r]) * most.value + gradients[r] <
                         resource.capacity.value * kNearly;
  }
  return uncontended;
}

}  // namespace

ByResource<bool> uncontended_memories(const Plan& plan) {
  // A GPU waits for every copy in order, however little it takes of the memory.
  if (plan.checkpoint || plan.copies_in_order)
    return ByResource<bool>(plan.graph.resources.size(), false);
  ByResource<bool> uncontended = uncontended_now(plan);
  for (const HitStretch& stretch : plan.filling) {
    const ByResource<bool> then = uncontended_now(finding(plan, stretch.hits));
    for (const ResourceIndex r : uncontended.indices()) uncontended[r] = uncontended[r] && then[r];
  }
  return uncontended;
}

}  // namespace gpufeed
