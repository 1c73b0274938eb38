// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/plan/plan.h"

namespace gpufeed {

/// Whether chance gave readers different shares of the store.
bool shares_differ(const Plan& plan);

/// Why few nodes do not show what all do; empty: they do, to 0.5 % of the time. Where GPUs, or what
/// nodes share, hold all up, few show it. Where it is each node's own loaders, the step waits for
/// the latest of all nodes, which comes later than the latest of few; it does not where every node
/// could deliver more than it is asked for, by as much as its latest batch is late:
///   asked / could + d sqrt(2 ln N) / sqrt(p) <= 1
/// with d the relative deviation of a batch's time, N GPUs, p batches of a worker in stock.
/// \param few     the plan of the nodes that would stand for all
/// \param unlike  by how much of its time an undisturbed phase of their exchange differs
std::string difference_of_nodes(const Plan& all, const Plan& few, double unlike);

}  // namespace gpufeed
