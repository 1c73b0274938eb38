// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/all_nodes.h"

#include <utility>

namespace gpufeed {
namespace {

/// The number of what becomes of a route of the first node at `node`; there it keeps its own.
int put(Plan& plan, int node, int route, Route copy) {
  if (node == 0) {
    plan.routes[static_cast<std::size_t>(route)] = std::move(copy);
    return route;
  }
  plan.routes.push_back(std::move(copy));
  return static_cast<int>(plan.routes.size()) - 1;
}

}  // namespace

void add_nodes(const Nodes& nodes, bool from_store, Plan& plan) {
  const auto first_node = plan.gpus;
  const auto routes = plan.routes;
  const auto cores = plan.cores;
  const auto pools = static_cast<int>(cores.size());
  const auto at = [&](int route) { return routes[static_cast<std::size_t>(route)]; };
  plan.gpus.clear();
  for (int node = 0; node < static_cast<int>(nodes.count()); ++node)
    for (GpuPlan gpu : first_node) {
      gpu.node = node;
      gpu.pool += node * pools;
      for (int& read : gpu.reads)
        read = put(plan, node, read,
                   from_store ? nodes.to_store(node, at(read), true) : nodes.on(node, at(read)));
      for (int* route : {&gpu.hits, &gpu.copy})
        if (*route >= 0) *route = put(plan, node, *route, nodes.on(node, at(*route)));
      plan.gpus.push_back(std::move(gpu));
    }
  for (std::int64_t node = 1; node < nodes.count(); ++node)
    plan.cores.insert(plan.cores.end(), cores.begin(), cores.end());
  plan.physical_cores *= static_cast<double>(nodes.count());
}

}  // namespace gpufeed
