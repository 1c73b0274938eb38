// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/routes.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

struct Way {
  int edge = -1;
};
using Ways =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Way>;
using WayId = boost::graph_traits<Ways>::edge_descriptor;

enum class Bricks { allowed, avoided };

/// The edges that a transfer to `target` may take.
struct Usable {
  const Graph* graph = nullptr;
  const Ways* ways = nullptr;
  int target = -1;
  Bricks bricks = Bricks::allowed;

  bool operator()(const WayId& way) const {
    const Edge& edge = edge_of(way);
    if (bricks == Bricks::avoided && edge.resource != kUnlimited &&
        graph->resource(edge.resource).kind == ResourceKind::nvlink)
      return false;
    if (edge.to == target) return true;
    switch (graph->node(edge.to).kind) {
      case NodeKind::gpu:
      case NodeKind::memory:
      case NodeKind::media:
        return false;
      // Else a transfer could leave the machine by one NIC and come back by another.
      case NodeKind::network:
        return graph->node(edge.from).kind == NodeKind::store;
      default:
        return true;
    }
  }
  const Edge& edge_of(const WayId& way) const {
    return graph->edges[static_cast<std::size_t>((*ways)[way].edge)];
  }
};

Ways ways_of(const Graph& graph) {
  Ways ways(graph.nodes.size());
  for (std::size_t i = 0; i < graph.edges.size(); ++i)
    boost::add_edge(static_cast<std::size_t>(graph.edges[i].from),
                    static_cast<std::size_t>(graph.edges[i].to), Way{static_cast<int>(i)}, ways);
  return ways;
}

void take(Route& route, int resource) {
  if (resource == kUnlimited) return;
  if (std::ranges::find(route.resources, resource) != route.resources.end()) return;
  route.resources.push_back(resource);
}

/// Notes the edge by which the search first reached each node.
struct Recorder : boost::default_bfs_visitor {
  Recorder(const Usable& of, std::vector<const Edge*>& into) : usable(&of), last(&into) {}

  template <class AnyGraph>
  void tree_edge(const WayId& way, const AnyGraph&) const {
    const Edge& edge = usable->edge_of(way);
    (*last)[static_cast<std::size_t>(edge.to)] = &edge;
  }
  const Usable* usable;
  std::vector<const Edge*>* last;
};

std::optional<Route> find_route(const Graph& graph, int from, int to, Bricks bricks) {
  GPUFEED_ASSERT(from >= 0 && to >= 0, "a route joins two nodes of the graph");
  const Ways ways = ways_of(graph);
  const Usable usable{&graph, &ways, to, bricks};
  std::vector<const Edge*> last(graph.nodes.size(), nullptr);
  boost::breadth_first_search(boost::filtered_graph<Ways, Usable>(ways, usable),
                              static_cast<std::size_t>(from),
                              boost::visitor(Recorder(usable, last)));
  std::vector<const Edge*> way;
  for (int node = to; node != from; node = way.back()->from) {
    const Edge* edge = last[static_cast<std::size_t>(node)];
    if (!edge) return {};
    way.push_back(edge);
  }
  Route route;
  for (auto edge = way.rbegin(); edge != way.rend(); ++edge) {
    take(route, (*edge)->resource);
    route.latency += (*edge)->latency;
  }
  return route;
}

std::optional<Route> joined(std::optional<Route> first, const std::optional<Route>& second) {
  if (!first || !second) return {};
  for (const int resource : second->resources) take(*first, resource);
  first->latency += second->latency;
  return first;
}

/// The NICs of a store that are nearest to `memory`, in the order of the graph.
std::vector<std::string> nearest_nics(const Graph& graph, int network, int memory) {
  std::vector<std::string> nearest;
  std::size_t least = graph.edges.size() + 1;
  for (const Edge& edge : graph.edges) {
    if (edge.from != network) continue;
    const auto route = shortest_route(graph, edge.to, memory);
    if (!route || route->resources.size() > least) continue;
    if (route->resources.size() < least) nearest.clear();
    least = route->resources.size();
    nearest.push_back(graph.node(edge.to).id);
  }
  return nearest;
}

/// Of `nics`, those for which `beside(part)` holds, taken in turn by the GPUs for which it holds.
template <class Beside>
std::optional<std::string> in_turn(const System& system, const std::vector<std::string>& nics,
                                   int gpu, Beside beside) {
  std::vector<std::string> near;
  for (const auto& nic : system.nics)
    if (beside(nic) && std::ranges::find(nics, nic.id) != nics.end()) near.push_back(nic.id);
  if (near.empty()) return {};
  const auto turn = std::count_if(system.gpus.begin(), system.gpus.begin() + gpu, beside);
  return near[static_cast<std::size_t>(turn) % near.size()];
}

std::optional<std::string> nic_for(const System& system, const std::vector<std::string>& nics,
                                   int gpu) {
  const Attachment& place = system.gpus.at(static_cast<std::size_t>(gpu));
  const auto socket = socket_of(system, place);
  const auto same_part = [&](const Attachment& part) { return part.at.id == place.at.id; };
  const auto same_socket = [&](const Attachment& part) {
    return socket_of(system, part) == socket;
  };
  if (auto nic = in_turn(system, nics, gpu, same_part)) return nic;
  if (auto nic = in_turn(system, nics, gpu, same_socket)) return nic;
  if (nics.empty()) return {};
  const auto turn = std::count_if(system.gpus.begin(), system.gpus.begin() + gpu, same_socket);
  return nics[static_cast<std::size_t>(turn) % nics.size()];
}

std::optional<Route> brick_between(const Graph& graph, int from, int to) {
  for (const Edge& edge : graph.edges)
    if (edge.from == from && edge.to == to) return Route{{edge.resource}, edge.latency, {}};
  return {};
}

std::optional<Route> staged_route(const System& system, const Graph& graph, int from, int to,
                                  const std::string& socket) {
  const int memory = graph.memory_of(socket);
  auto route = joined(shortest_route(graph, from, memory), shortest_route(graph, memory, to));
  if (!route) return {};
  const auto cpu = std::ranges::find(system.sockets, socket, &Socket::id)->model;
  auto narrowest = graph.resource(route->resources.front()).capacity;
  for (const int resource : route->resources)
    narrowest = std::min(narrowest, graph.resource(resource).capacity);
  route->cap = narrowest * cpu->staged_copy_efficiency;
  return route;
}

}  // namespace

std::optional<Route> shortest_route(const Graph& graph, int from, int to) {
  return find_route(graph, from, to, Bricks::allowed);
}

std::optional<Route> read_route(const Scenario& scenario, const Graph& graph,
                                std::string_view source, std::string_view socket, int gpu) {
  const int media = graph.media_of(source);
  const int memory = graph.memory_of(socket);
  GPUFEED_ASSERT(media >= 0 && memory >= 0, "reads go from a source to the memory of a socket");
  const int network = graph.find(std::string(source) + " network");
  if (network < 0) return shortest_route(graph, media, memory);
  const auto nic = nic_for(*scenario.system, nearest_nics(graph, network, memory), gpu);
  if (!nic) return {};
  const int port = graph.find(*nic);
  return joined(shortest_route(graph, media, port), shortest_route(graph, port, memory));
}

std::optional<Route> peer_route(const Scenario& scenario, const Graph& graph, int from_gpu,
                                int to_gpu, bool nvlink) {
  const System& system = *scenario.system;
  const int from = graph.gpu(from_gpu);
  const int to = graph.gpu(to_gpu);
  GPUFEED_ASSERT(from >= 0 && to >= 0 && from != to, "a peer copy joins two GPUs of the system");
  if (nvlink)
    if (auto route = brick_between(graph, from, to)) return route;
  const auto socket = socket_of(system, system.gpus[static_cast<std::size_t>(to_gpu)]);
  if (socket_of(system, system.gpus[static_cast<std::size_t>(from_gpu)]) == socket)
    return find_route(graph, from, to, Bricks::avoided);
  return staged_route(system, graph, from, to, socket);
}

}  // namespace gpufeed
