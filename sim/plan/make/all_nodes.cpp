// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/all_nodes.h"

#include <span>
#include <utility>

#include "sim/model/compute.h"

namespace gpufeed {
namespace {

/// What becomes of a route of the first node at `node`; there it keeps its place.
RouteIndex put(Plan& plan, int node, RouteIndex route, Route copy) {
  if (node > 0) return plan.routes.add(std::move(copy));
  plan.routes[route] = std::move(copy);
  return route;
}

}  // namespace

void add_nodes(const Scenario& scenario, const Nodes& nodes, bool from_store, Plan& plan) {
  const auto first_node = plan.gpus;
  const auto routes = plan.routes;
  const auto cores = plan.cores;
  plan.gpus.clear();
  plan.gpus.reserve(first_node.size() * static_cast<std::size_t>(nodes.shown()));
  for (int node = 0; node < nodes.shown(); ++node) {
    const auto gpus = static_cast<std::size_t>(gpus_of_node(scenario, node));
    const std::size_t before = plan.gpus.size();
    for (GpuPlan gpu : std::span(first_node).first(gpus)) {
      gpu.node = node;
      gpu.pool += static_cast<std::size_t>(node) * cores.size();
      gpu.process += before;
      for (RouteIndex& read : gpu.reads)
        read = put(
            plan, node, read,
            from_store ? nodes.to_store(node, routes[read], true) : nodes.on(node, routes[read]));
      for (auto* from_far : {&gpu.pulls, &gpu.passes})
        for (RouteIndex& read : *from_far)
          read = put(plan, node, read, nodes.to_store(node, routes[read], true));
      for (auto* route : {&gpu.hits, &gpu.copy})
        if (*route) *route = put(plan, node, **route, nodes.on(node, routes[**route]));
      plan.gpus.push_back(std::move(gpu));
    }
  }
  for (std::int64_t node = 1; node < nodes.shown(); ++node)
    plan.cores.insert(plan.cores.end(), cores.begin(), cores.end());
  plan.physical_cores *= static_cast<double>(nodes.shown());
}

}  // namespace gpufeed
