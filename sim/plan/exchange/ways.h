// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
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
  int per_node() const { return per_node_; }
  int ranks() const { return nodes_ * per_node_; }
  int node_of(int rank) const { return rank / per_node_; }
  /// Of its GPU in the system.
  std::size_t number_of(int rank) const;
  std::string name_of(int rank) const;
  /// Of one replica of the model, in bytes that travel, over the GPUs that it is split over.
  Bytes gradients() const { return gradients_; }
  /// The network card through which each GPU of a node leaves it, if there is one.
  const std::vector<std::optional<std::size_t>>& cards() const { return cards_; }

  /// Adds `size` to what travels from one rank to another in a phase of `rounds` rounds.
  void send(ExchangePhase& phase, int from, int to, bool nvlink, Bytes size, double rounds);
  /// The same over a way that is not from rank to rank.
  void send_over(ExchangePhase& phase, std::optional<Route> way, const std::string& from,
                 const std::string& to, Bytes size);
  /// Lets one flow take what was added to a route of a phase in parts; drops phases without flows.
  void settle(ExchangePhases& phases) const;
  /// Lets go of the routes from `first` on, which only phases took that are not wanted.
  std::vector<Route> take_routes(std::size_t first);
  void add_routes(std::vector<Route> routes);

 private:
  std::vector<std::optional<std::size_t>> find_cards() const;
  std::optional<Route> way(int from, int to, bool nvlink);
  std::optional<Route> within_node(std::size_t from, std::size_t to, bool nvlink) const;
  const std::optional<PortRoute>& port_of(std::size_t gpu, bool out);
  std::optional<RouteIndex> add_route(std::optional<Route> route, const std::string& from,
                                      const std::string& to);
  void add_flow(ExchangePhase& phase, std::optional<RouteIndex> route, Bytes size, double rounds);

  const Scenario& scenario_;
  const Nodes& cluster_;
  Plan& plan_;
  Diagnostics& missing_;
  const int nodes_;
  const int per_node_;
  const Bytes gradients_;
  const std::vector<std::optional<std::size_t>> cards_;
  std::map<std::tuple<int, int, bool>, std::optional<RouteIndex>> routes_;
  std::map<std::tuple<std::size_t, std::size_t, bool>, std::optional<Route>>
      peers_;  ///< on the first node
  std::map<std::pair<std::size_t, bool>, std::optional<PortRoute>> ports_;
};

}  // namespace gpufeed
