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
  /// \param capacities  of the links
  /// \param binds       resources that become links; routes cross the others for nothing. Empty:
  ///                    all do
  GraphOnEngine(const Graph& graph, Engine& engine, const ByResource<Bandwidth>& capacities,
                ByResource<bool> binds);

  /// \param resource  one that binds
  LinkId link(ResourceIndex resource) const;
  /// The links that a route takes, each as often as the route takes its resource.
  std::vector<LinkId> links_of(const Route& route) const;
  /// Declares a route with its cap. \param route  takes at least one resource that binds
  RouteId add(const Route& route, Weight weight = {});

 private:
  Engine& engine_;
  ByResource<bool> binds_;
  ByResource<LinkId> links_;
};

/// Of all resources.
ByResource<Bandwidth> capacities_of(const Graph& graph);

}  // namespace gpufeed
