// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/nodes.h"

namespace gpufeed {

/// Gives every further node what the plan gives the first: loaders and GPUs, their routes, and
/// pools of cores. Routes from a store pass the network between the nodes, the first node's too.
/// Of nodes with unlike numbers of GPUs (`workload.placement`), each gets as many as it has; `plan`
/// then has those of the node with most.
/// \param from_store  whether samples come from a store
void add_nodes(const Scenario& scenario, const Nodes& nodes, bool from_store, Plan& plan);

}  // namespace gpufeed
