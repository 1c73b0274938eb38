// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/engine/engine.h"
#include "sim/topology/graph.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// The resources of a graph as links of an engine, and routes over them: the only translation from
/// one to the other. The engine must outlive it; the graph need not.
class GraphOnEngine {
 public:
  /// Every resource becomes a link of its capacity, in the order of the graph.
  GraphOnEngine(const Graph& graph, Engine& engine);
  /// \param capacities  of the links, by resource
  /// \param binds       resources that become links; routes cross the others for nothing. Empty:
  ///                    all do
  GraphOnEngine(const Graph& graph, Engine& engine, const std::vector<Bandwidth>& capacities,
                std::vector<bool> binds);

  /// \param resource  one that binds
  LinkId link(int resource) const;
  /// The links that a route takes, each as often as the route takes its resource.
  std::vector<LinkId> links_of(const Route& route) const;
  /// Declares a route with its cap. \param route  takes at least one resource that binds
  RouteId add(const Route& route, Weight weight = {});

 private:
  Engine& engine_;
  std::vector<bool> binds_;
  std::vector<LinkId> links_;  ///< by resource
};

/// Of all resources, by number.
std::vector<Bandwidth> capacities_of(const Graph& graph);

}  // namespace gpufeed
