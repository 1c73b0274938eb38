// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/running_plan.h"

#include <limits>
#include <utility>

#include "sim/job/counted_steps.h"
#include "sim/job/links/binding.h"
#include "sim/job/loaders/batch_loaders.h"
#include "sim/job/loaders/cores.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

using Places = ByResource<std::optional<ResourceIndex>>;

/// Those that hold flows back, those whose time drives share, and all that gradients cross, for how
/// long these take is found apart.
ByResource<bool> that_count(const Plan& plan) {
  ByResource<bool> count = binding_resources(plan);
  ByResource<bool> taken(plan.graph.resources.size(), false);
  for (const Route& route : plan.routes)
    for (const ResourceIndex resource : route.resources) taken[resource] = true;
  for (const ResourceIndex resource : taken.indices())
    count[resource] = count[resource] && taken[resource];
  for (const ExchangePhase& phase : plan.exchange)
    for (const Flow& flow : phase.flows)
      for (const ResourceIndex resource : plan.route(flow.route).resources) count[resource] = true;
  for (const SharedDrive& drive : plan.shared_drives) count[drive.read] = count[drive.write] = true;
  return count;
}

/// What is left of the graph, and where it is now.
Places keep_that_count(const ByResource<bool>& count, Graph& graph) {
  Places places(count.size());
  Graph kept;
  for (const ResourceIndex i : count.indices()) {
    if (!count[i]) continue;
    const Resource& whole = graph.resources[i];
    Resource resource{};
    resource.capacity = whole.capacity;
    resource.stands_for = whole.stands_for;
    places[i] = kept.resources.add(std::move(resource));
  }
  graph = std::move(kept);
  return places;
}

void keep_on_routes(const Places& places, Plan& plan) {
  for (Route& route : plan.routes) {
    std::erase_if(route.resources, [&](ResourceIndex resource) { return !places[resource]; });
    for (ResourceIndex& resource : route.resources) resource = *places[resource];
  }
  for (SharedDrive& drive : plan.shared_drives) {
    drive.read = *places[drive.read];
    drive.write = *places[drive.write];
  }
}

void forget_what_is_told(Plan& plan) {
  plan.first_hits = {};
  plan.later_hits = {};
  plan.filling.clear();
  plan.cache = {};
  plan.physical_cores = 0;
  plan.smt.reset();
  plan.algorithm = {};
  plan.step_loads.clear();
  plan.compute = {};
  plan.nominal_compute = {};
  plan.warnings.clear();
}

}  // namespace

RunningPlan running_plan(Plan plan) {
  RunningPlan out;
  out.in_use = routes_in_use(plan);
  out.fed_step = fed_step(plan);
  out.steps_to_mix = steps_to_mix(plan, pace_deviation(plan));
  const ByResource<bool> count = that_count(plan);
  // The flows that checkpoints and reads share are told apart by what binds, too.
  const ByResource<bool> binds = binding_resources(plan);
  const auto threads = most_threads(plan);
  for (std::size_t pool = 0; pool < plan.cores.size(); ++pool)
    if (plan.cores[pool] > threads[pool])
      plan.cores[pool] = std::numeric_limits<double>::infinity();
  keep_on_routes(keep_that_count(count, plan.graph), plan);
  plan.uncontended.clear();
  for (const ResourceIndex i : count.indices())
    if (count[i]) plan.uncontended.add(!binds[i]);
  forget_what_is_told(plan);
  out.plan = std::move(plan);
  return out;
}

}  // namespace gpufeed
