// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/on_engine.h"

#include <utility>

#include "sim/base/assert.h"

namespace gpufeed {

std::vector<Bandwidth> capacities_of(const Graph& graph) {
  std::vector<Bandwidth> capacities;
  capacities.reserve(graph.resources.size());
  for (const auto& resource : graph.resources) capacities.push_back(resource.capacity);
  return capacities;
}

GraphOnEngine::GraphOnEngine(const Graph& graph, Engine& engine)
    : GraphOnEngine(graph, engine, capacities_of(graph), {}) {}

GraphOnEngine::GraphOnEngine(const Graph& graph, Engine& engine,
                             const std::vector<Bandwidth>& capacities, std::vector<bool> binds)
    : engine_(engine), binds_(std::move(binds)), links_(graph.resources.size()) {
  if (binds_.empty()) binds_.assign(links_.size(), true);
  GPUFEED_ASSERT(binds_.size() == links_.size() && capacities.size() == links_.size(),
                 "a capacity for each resource, and whether it binds");
  for (std::size_t r = 0; r < links_.size(); ++r)
    if (binds_[r]) links_[r] = engine.add_link(graph.resources[r].id, capacities[r]);
}

LinkId GraphOnEngine::link(int resource) const {
  const auto r = static_cast<std::size_t>(resource);
  GPUFEED_ASSERT(binds_.at(r), "a resource that binds is a link");
  return links_[r];
}

std::vector<LinkId> GraphOnEngine::links_of(const Route& route) const {
  std::vector<LinkId> links;
  for (const int resource : route.resources)
    if (const auto r = static_cast<std::size_t>(resource); binds_[r]) links.push_back(links_[r]);
  return links;
}

RouteId GraphOnEngine::add(const Route& route, Weight weight) {
  return engine_.add_route(links_of(route), route.cap.value_or(kUncapped), weight);
}

}  // namespace gpufeed
