// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/all_nodes.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/model/compute.h"

namespace gpufeed {
namespace {

/// What becomes of the routes of one node's GPUs.
class Copies {
 public:
  Copies(Plan& plan, std::span<const GpuPlan> not_on_first) : plan_(plan) {
    for (const GpuPlan& gpu : not_on_first) {
      for (const auto* some : {&gpu.reads, &gpu.pulls, &gpu.passes})
        left_.insert(left_.end(), some->begin(), some->end());
      for (const auto& route : {gpu.hits, gpu.copy})
        if (route) left_.push_back(*route);
    }
  }

  /// On the first node a route keeps its place; those of GPUs that it does not have are taken by
  /// other nodes, of which one has as many at least.
  RouteIndex put(int node, RouteIndex route, Route copy) {
    if (node > 0 && left_.empty()) return plan_.routes.add(std::move(copy));
    if (node > 0) {
      route = left_.back();
      left_.pop_back();
    }
    plan_.routes[route] = std::move(copy);
    return route;
  }

 private:
  Plan& plan_;
  std::vector<RouteIndex> left_;
};

}  // namespace

void add_nodes(const Scenario& scenario, const Nodes& nodes, bool from_store, Plan& plan) {
  const auto first_node = plan.gpus;
  const auto routes = plan.routes;
  const auto cores = plan.cores;
  const std::vector<std::int64_t> sizes = node_sizes(scenario);
  const auto on_first = static_cast<std::size_t>(gpus_of_node(scenario, 0));
  Copies copies(plan, std::span(first_node).subspan(on_first));
  plan.gpus.clear();
  plan.gpus.reserve(first_node.size() * static_cast<std::size_t>(nodes.shown()));
  for (int node = 0; node < nodes.shown(); ++node) {
    const auto gpus = static_cast<std::size_t>(gpus_of_node(scenario, node));
    const std::size_t before = plan.gpus.size();
    const std::size_t finds = static_cast<std::size_t>(
        std::ranges::find(sizes, gpus_of_node(scenario, node)) - sizes.begin());
    for (GpuPlan gpu : std::span(first_node).first(gpus)) {
      gpu.node = node;
      gpu.finds = finds;
      gpu.pool += static_cast<std::size_t>(node) * cores.size();
      gpu.process += before;
      for (RouteIndex& read : gpu.reads)
        read = copies.put(
            node, read,
            from_store ? nodes.to_store(node, routes[read], true) : nodes.on(node, routes[read]));
      for (auto* from_far : {&gpu.pulls, &gpu.passes})
        for (RouteIndex& read : *from_far)
          read = copies.put(node, read, nodes.to_store(node, routes[read], true));
      for (auto* route : {&gpu.hits, &gpu.copy})
        if (*route) *route = copies.put(node, **route, nodes.on(node, routes[**route]));
      plan.gpus.push_back(std::move(gpu));
    }
  }
  for (std::int64_t node = 1; node < nodes.shown(); ++node)
    plan.cores.insert(plan.cores.end(), cores.begin(), cores.end());
  plan.physical_cores *= static_cast<double>(nodes.shown());
}

}  // namespace gpufeed
