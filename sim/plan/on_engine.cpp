// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/on_engine.h"

#include <utility>

#include "sim/base/assert.h"

namespace gpufeed {

ByResource<Bandwidth> capacities_of(const Graph& graph) {
  ByResource<Bandwidth> capacities;
  for (const auto& resource : graph.resources) capacities.add(resource.capacity);
  return capacities;
}

GraphOnEngine::GraphOnEngine(const Graph& graph, Engine& engine)
    : GraphOnEngine(graph, engine, capacities_of(graph), {}) {}

GraphOnEngine::GraphOnEngine(const Graph& graph, Engine& engine,
                             const ByResource<Bandwidth>& capacities, ByResource<bool> binds)
    : engine_(engine), binds_(std::move(binds)), links_(graph.resources.size()) {
  if (binds_.empty()) binds_ = ByResource<bool>(links_.size(), true);
  GPUFEED_ASSERT(binds_.size() == links_.size() && capacities.size() == links_.size(),
                 "a capacity for each resource, and whether it binds");
  for (const ResourceIndex r : links_.indices())
    if (binds_[r]) links_[r] = engine.add_link(graph.resources[r].label, capacities[r]);
}

LinkId GraphOnEngine::link(ResourceIndex resource) const {
  GPUFEED_ASSERT(binds_[resource], "a resource that binds is a link");
  return links_[resource];
}

std::vector<LinkId> GraphOnEngine::links_of(const Route& route) const {
  std::vector<LinkId> links;
  for (const ResourceIndex resource : route.resources)
    if (binds_[resource]) links.push_back(links_[resource]);
  return links;
}

RouteId GraphOnEngine::add(const Route& route, Weight weight) {
  return engine_.add_route(links_of(route), route.cap.value_or(kUncapped), weight);
}

}  // namespace gpufeed
