// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/model/exchange.h"
#include "sim/plan/exchange/pattern.h"

namespace gpufeed {

class ExchangeWays;

/// The part of a way that lies on one node, whichever that is: all of it, or what leads out onto
/// the network between nodes, or in from there.
struct Leg {
  enum class Part { all, out, in };
  Part part;
  Over over;
  std::size_t gpu;       ///< in the system: where it begins, or the only one that it knows
  std::size_t to = 0;    ///< between two GPUs of a node: where it ends
  std::size_t lane = 0;  ///< onto the network: which of the GPU's cards it takes

  auto operator<=>(const Leg&) const = default;
};

/// A way from rank to rank.
struct Journey {
  Leg first;
  std::optional<Leg> second;  ///< on another node

  auto operator<=>(const Journey&) const = default;
};

/// What a node sends and receives in a phase, by the legs that take it.
using NodeTraffic = std::map<Leg, Bytes>;

/// What passes the uplinks of a leaf switch in a phase.
struct SwitchTraffic {
  Bytes up, down;
};

/// A phase of an exchange, as nodes that differ see it.
struct PhaseTraffic {
  std::vector<NodeTraffic> of_node;              ///< of each kind of node
  std::map<Journey, double> rounds;              ///< of every kind of way, the most
  std::map<std::size_t, SwitchTraffic> of_rail;  ///< the most of any of its switches
  double ready = 0;                              ///< as in SendPhase
  std::optional<CollectiveCalls> calls;
};

/// What the nodes of a cluster exchange, of alike ones once: how the many phases of a large cluster
/// load the nodes of each kind. It follows from patterns alone, so all plans share it whose
/// scenarios differ in how fast parts are.
struct Traffic {
  std::vector<int> stands_for{};  ///< nodes of each kind; the first node is of the first
  /// By algorithm that may sum the gradients. A model that is split: `ring`.
  std::map<Algorithm, std::vector<PhaseTraffic>> phases{};
  /// Where GPUs exchange each by itself: nodes that are alike send to one another as those of the
  /// whole cluster do, a smaller ring of them with leaf switches of its own, and there are no
  /// phases.
  bool ring = false;
};

/// Sorts the nodes by what they send and receive in all patterns.
Traffic traffic_of(const std::map<Algorithm, Pattern>& patterns, const ExchangeWays& ways);

}  // namespace gpufeed
