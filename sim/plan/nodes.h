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
  Nodes(const Scenario& scenario, Graph& graph);

  std::int64_t count() const { return count_; }
  /// A resource of node 0 as node `node` has it.
  ResourceIndex resource(int node, ResourceIndex of_first) const;
  /// A route of node 0 as node `node` has it.
  Route on(int node, Route route) const;
  /// The same for a route between a store and the node: it passes the uplink of the node's switch.
  /// \param reads  whether it leads from the store to the node
  Route to_store(int node, Route route, bool reads) const;
  /// A way from one node to another, of two halves on node 0.
  Route between(int from, const PortRoute& out, int to, const PortRoute& in) const;

 private:
  struct Leaf {
    ResourceIndex up, down;
  };
  void copy_resources(Graph& graph);
  void add_leaves(const Scenario& scenario, Graph& graph);
  /// The switch that network card `nic` of a node hangs on; null where all hang on one.
  const Leaf* leaf_of(int node, std::size_t nic) const;
  std::size_t nic_on(const Route& route) const;

  const Graph& graph_;
  const System& system_;
  std::int64_t count_;
  /// Of each node but node 0: where it has each resource of that one.
  std::vector<ByResource<ResourceIndex>> copies_;
  std::int64_t nodes_per_switch_ = 1;
  bool rails_ = false;
  std::size_t rail_switches_ = 0;  ///< of one rail
  std::vector<Leaf> leaves_;
  Seconds latency_;
};

}  // namespace gpufeed
