// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace gpufeed::cluster {

/// A job that reads: what it would take, its weight, and of which resources what part of it.
struct Flow {
  double demand = 0;  ///< B/s
  double weight = 1;
  std::vector<std::pair<int, double>> uses = {};  ///< resource; part of the flow that crosses it
};

/// What a flow gets.
struct FlowShare {
  double rate = 0;   ///< B/s
  int held_by = -1;  ///< the resource that keeps it from its demand; -1: none does
};

/// What each flow gets by weighted max-min: all rise together in proportion to their weights until
/// one has its demand, or a resource that it uses is full; those stop, the others rise on.
/// \param capacities  of each resource, B/s
std::vector<FlowShare> fair_rates(const std::vector<Flow>& flows,
                                  const std::vector<double>& capacities);

}  // namespace gpufeed::cluster
