// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <unordered_map>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/network_way.h"
#include "sim/plan/exchange/traffic.h"
#include "sim/plan/nodes.h"

namespace gpufeed {

using ExchangePhases = std::vector<ExchangePhase>;

/// Part of what one rank sends in a ring all-reduce among `ranks`; half of it to scatter the sums.
constexpr double ring_share(int ranks) { return 2.0 * (ranks - 1) / ranks; }

/// The ranks of an exchange, node after node, and the ways between them. Every way that a flow
/// takes becomes a route of the plan; one that is not there becomes an error in `missing`. All
/// arguments must outlive it.
class ExchangeWays {
 public:
  /// \param gradients  bytes that travel of one rank
  ExchangeWays(const Scenario& scenario, const Nodes& cluster, Plan& plan, Diagnostics& missing,
               Bytes gradients);

  const Scenario& scenario() const { return scenario_; }
  const System& system() const { return *scenario_.system; }
  const Nodes& cluster() const { return cluster_; }
  const Plan& plan() const { return plan_; }

  int nodes() const { return nodes_; }
  /// Those that the plan shows.
  int shown() const { return static_cast<int>(cluster_.shown()); }
  /// Of the node with most.
  int per_node() const { return per_node_; }
  bool is_uneven() const { return !starts_.empty(); }
  int ranks() const { return is_uneven() ? starts_.back() : nodes_ * per_node_; }
  int node_of(int rank) const {
    if (!is_uneven()) return rank / per_node_;
    return static_cast<int>(std::ranges::upper_bound(starts_, rank) - starts_.begin()) - 1;
  }
  /// The first rank of a node, and how many it has.
  int first_of(int node) const {
    return is_uneven() ? starts_[static_cast<std::size_t>(node)] : node * per_node_;
  }
  int gpus_of(int node) const { return first_of(node + 1) - first_of(node); }
  /// Of so many ranks, each `stride` after the one before, from the first on.
  int nodes_of(int ranks, int stride) const {
    return std::min(ranks, 1 + node_of((ranks - 1) * stride));
  }
  /// Of its GPU in the system, whose first ones take part on each node.
  std::size_t number_of(int rank) const {
    return static_cast<std::size_t>(rank - first_of(node_of(rank)));
  }
  Label label_of(int rank) const;
  /// Of one replica of the model, in bytes that travel, over the GPUs that it is split over.
  Bytes gradients() const { return gradients_; }
  /// What of them travels together: `exchange.bucket`, or a block of a model whose replicas share
  /// its parameters, as they are gathered (FSDP); nothing where all does.
  std::optional<Bytes> bucket() const;
  /// How many buckets that makes.
  double buckets() const;
  /// All gradients, or every part of them, by a collective for each bucket.
  CollectiveCalls calls(CollectiveOperation operation, int ranks, int nodes, double part = 1) const;
  /// The network cards through which each GPU of a node leaves it, one after the other: the
  /// nearest, and what others hang by themselves at the same switch or socket as it, which go over
  /// RDMA at once. None where no card leads there.
  const std::vector<std::vector<std::size_t>>& cards() const { return cards_; }
  /// How many cards share the bytes of a send at once.
  std::size_t lanes_of(const Send& send) const;
  /// Between the nodes, by the card of the first GPU.
  NetworkWay network() const {
    return cards_.front().empty() ? NetworkWay{} : network_of(cards_.front().front());
  }

  /// What travels by a pattern: one flow for all that takes a route in a phase; phases without
  /// flows are left out.
  ExchangePhases phases_of(const Pattern& pattern);
  /// What travels on nodes of a cluster that shows one of each kind: the time that a phase takes,
  /// and what each of them carries, are the same as of all. No flow leaves its node.
  ExchangePhases phases_of(const std::vector<PhaseTraffic>& traffic);

  /// \param send  between two ranks that are not the same
  /// \param lane  below `lanes_of(send)`
  Journey journey_of(const Send& send, std::size_t lane) const;
  /// Where the card hangs by which a rank takes this way out or in.
  Nodes::Place switch_of(int rank, const Leg& leg) const;

  /// Lets go of the routes from `first` on, which only phases took that are not wanted.
  std::vector<Route> take_routes(std::size_t first);
  void add_routes(std::vector<Route> routes);

 private:
  std::vector<std::vector<std::size_t>> find_cards() const;
  std::vector<std::size_t> cards_beside(std::size_t gpu, std::size_t nearest) const;
  /// Of a leg onto the network or in from there.
  std::optional<std::size_t> card_of(const Leg& leg) const;
  const std::optional<PortRoute>& route_of(const Leg& leg);
  std::optional<PortRoute> find_route(const Leg& leg) const;
  std::optional<Route> within_node(const Leg& leg) const;
  std::optional<Route> way_of(const Send& send, std::size_t lane);
  std::optional<RouteIndex> add_route(const Send& send, std::size_t lane);
  NetworkWay network_of(std::size_t card) const;
  void report_no_way(const Send& send);
  Seconds latency_of(const Journey& journey);
  void add_uplinks(std::size_t rail, const SwitchTraffic& traffic, ExchangePhase& phase);

  const Scenario& scenario_;
  const Nodes& cluster_;
  Plan& plan_;
  Diagnostics& missing_;
  const int nodes_;
  const std::vector<int> starts_;  ///< first rank of each node, and one past all; empty: even
  const int per_node_;
  const Bytes gradients_;
  const std::vector<std::vector<std::size_t>> cards_;
  struct Taken {
    int from, to;
    Over over;
    std::size_t lane;
    bool operator==(const Taken&) const = default;
  };
  struct Hashed {
    std::size_t operator()(const Taken& one) const;
  };
  std::unordered_map<Taken, std::optional<RouteIndex>, Hashed> routes_;
  std::map<Leg, std::optional<PortRoute>> legs_;  ///< on the first node
};

}  // namespace gpufeed
