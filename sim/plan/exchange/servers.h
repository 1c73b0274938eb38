// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// All gradients of one rank to the parameter servers, then all weights back. Every GPU keeps to
/// one server for what is not on its own node; all servers are asked alike. Where the compute rates
/// include what stays on a node, that is left out. Of a cluster that shows a ring of nodes
/// (Traffic::ring), these alone are asked.
void add_serving(const ExchangeWays& ways, Pattern& phases, int rank);

/// The same of all ranks at once.
Pattern server_pattern(const ExchangeWays& ways);

/// The least number of nodes with so many GPUs that, as a ring of their own, load each other and
/// their leaf switches by `add_serving` as all of a cluster do; nothing where none is smaller, or
/// where nodes or switches differ: few are servers, or a switch is not full.
std::optional<int> least_ring(const Scenario& scenario, int gpus_per_node);

}  // namespace gpufeed
