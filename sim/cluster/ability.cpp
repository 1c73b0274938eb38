// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/cluster/life.h"

namespace gpufeed::cluster {

Uses uses_of(const Case& of, const Job& job, const Placement& placement) {
  Uses uses{{job.store, 1.0}};
  for (const Part& part : placement.parts)
    if (of.nodes[at(part.node)].link != kNever)
      uses.emplace_back(static_cast<int>(of.stores.size()) + part.node,
                        job.gpus > 0 ? static_cast<double>(part.gpus.size()) / job.gpus : 1);
  return uses;
}

double full_rate_of(const Job& job, const Placement& placement, const std::vector<double>& speeds) {
  double slowest = kNever;
  for (const Part& part : placement.parts) slowest = std::min(slowest, speeds[at(part.node)]);
  return slowest * (placement.parts.size() > 1 ? job.over_nodes
                    : placement.switches > 1   ? job.over_switches
                                               : 1.0);
}

Ability ability_of(const Case& of, const Job& job, const Placement& placement,
                   const std::vector<double>& speeds) {
  Ability can;
  can.full = full_rate_of(job, placement, speeds);
  for (const Part& part : placement.parts) {
    const Node& node = of.nodes[at(part.node)];
    const double gpus = static_cast<double>(part.gpus.size()) * job.milli / kMilli;
    const double busy = gpus * job.gpu_busy / node.speed;
    can.busy += busy;
    can.energy += busy * node.gpu_W;
    can.cost += busy * node.gpu_W * node.cost_per_J;
  }
  if (of.stores.empty()) return can;
  for (const auto& [resource, part] : uses_of(of, job, placement)) {
    const double capacity = at(resource) < of.stores.size()
                                ? of.stores[at(resource)].bandwidth
                                : of.nodes[at(resource) - of.stores.size()].link;
    can.limit = std::min(can.limit, capacity / part);
  }
  return can;
}

}  // namespace gpufeed::cluster
