// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// The nodes of a scenario as one graph's resources. Every node has its own copy of all resources
/// but the stores'; node 0 keeps the numbers that the graph of one node gives them.
class Nodes {
 public:
  /// Adds the resources of all further nodes, and those of the network between them, to `graph`:
  /// - "ID of node K";
  /// - "switch S up", "switch S down" of each leaf switch, where there are several (`fabric.rails`:
  ///   "rail R switch S ..."): the uplink, or as much as its ports.
  /// `graph` must outlive this.
  /// \param copies  taken: a further node gets a resource when it is first asked for, which is a
  ///                small part of them; what knows all resources of `graph` is made thereafter
  enum class Copies { all, taken };
  Nodes(const Scenario& scenario, Graph& graph, Copies copies = Copies::all);
  /// The same of a cluster of which few nodes are shown, which stand for all: so do their loads of
  /// what nodes share (Resource::stands_for).
  /// \param leaves  whether each leaf switch of the nodes shown is there, all of which are full or
  ///                there is but one; else a full one of each rail stands for all
  Nodes(const Scenario& scenario, Graph& graph, std::int64_t shown, bool leaves);

  std::int64_t count() const { return count_; }
  /// Those that have resources, the first ones.
  std::int64_t shown() const { return shown_; }
  /// A resource of node 0 as node `node` has it.
  ResourceIndex resource(int node, ResourceIndex of_first) const;
  /// A route of node 0 as node `node` has it.
  Route on(int node, Route route) const;
  /// The same for a route between a store and the node: it passes the uplink of the node's switch.
  /// \param reads  whether it leads from the store to the node
  Route to_store(int node, Route route, bool reads) const;
  /// A way from one node to another, of two halves on node 0.
  Route between(int from, const PortRoute& out, int to, const PortRoute& in) const;
  /// What every way from one node to another adds to the two halves.
  Seconds latency() const { return latency_; }

  /// Where a network card of any node hangs: a leaf switch, counted within its rail.
  struct Place {
    std::size_t rail = 0, number = 0;
    auto operator<=>(const Place&) const = default;
  };
  Place switch_of(int node, std::size_t nic) const;
  struct Leaf {
    ResourceIndex up, down;
  };
  /// The uplinks of the switch that stands for those of a rail, of few nodes.
  const Leaf& leaf_of_rail(std::size_t rail) const { return leaves_[rail]; }

 private:
  double stands_for(std::int64_t nodes) const;
  void copy_resources(Copies copies);
  ResourceIndex copy(int node, ResourceIndex of_first) const;
  void add_leaves(const Scenario& scenario);
  /// The switch that network card `nic` of a node hangs on; null where all hang on one.
  const Leaf* leaf_of(int node, std::size_t nic) const;
  std::size_t nic_on(const Route& route) const;

  Graph& graph_;
  const System& system_;
  std::int64_t count_;
  std::int64_t shown_;
  bool few_ = false;
  bool one_leaf_ = false;  ///< of each rail, whose switches it stands for
  /// Of each node but node 0: where it has each resource of that one; what it shares, or has no
  /// copy of yet, where node 0 has it.
  mutable std::vector<ByResource<ResourceIndex>> copies_;
  std::int64_t nodes_per_switch_ = 1;
  bool rails_ = false;
  std::size_t rail_switches_ = 0;  ///< of one rail
  std::vector<Leaf> leaves_;
  Seconds latency_;
};

/// Adds to the plan those drives of each node that the training reads while they are `written`.
void share_drives(const Nodes& nodes, const std::vector<PartId>& written, Plan& plan);

}  // namespace gpufeed
