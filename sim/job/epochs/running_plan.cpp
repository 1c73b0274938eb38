// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/running_plan.h"

#include <utility>

namespace gpufeed {
namespace {

using Places = ByResource<std::optional<ResourceIndex>>;

/// Where each resource goes that a route takes.
Places places_of(const Plan& plan) {
  ByResource<bool> taken(plan.graph.resources.size(), false);
  for (const Route& route : plan.routes)
    for (const ResourceIndex resource : route.resources) taken[resource] = true;
  for (const SharedDrive& drive : plan.shared_drives) taken[drive.read] = taken[drive.write] = true;
  Places places(plan.graph.resources.size());
  std::size_t next = 0;
  for (const ResourceIndex resource : taken.indices())
    if (taken[resource]) places[resource] = ResourceIndex(next++);
  return places;
}

Graph graph_of(Graph& whole, const Places& places) {
  Graph graph;
  for (const ResourceIndex i : places.indices()) {
    if (!places[i]) continue;
    Resource resource = std::move(whole.resources[i]);
    resource.provenance = {};
    resource.limit = {};
    if (resource.of_first) resource.of_first = places[*resource.of_first];
    graph.resources.add(std::move(resource));
  }
  return graph;
}

}  // namespace

Plan running_plan(Plan plan) {
  const Places places = places_of(plan);
  plan.graph = graph_of(plan.graph, places);
  ByResource<bool> uncontended;
  for (const ResourceIndex i : plan.uncontended.indices())
    if (places[i]) uncontended.add(plan.uncontended[i]);
  plan.uncontended = std::move(uncontended);
  for (Route& route : plan.routes)
    for (ResourceIndex& resource : route.resources) resource = *places[resource];
  for (SharedDrive& drive : plan.shared_drives) {
    drive.read = *places[drive.read];
    drive.write = *places[drive.write];
  }
  plan.filling.clear();
  plan.warnings.clear();
  plan.compute.source.clear();
  plan.compute.caveat.reset();
  return plan;
}

}  // namespace gpufeed
