// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/routes.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "sim/base/assert.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/topology/card_route.h"

namespace gpufeed {
namespace {

enum class BrickRule { allowed, avoided, only };

/// The edges that a transfer to `target` may take.
struct Usable {
  const Graph& graph;
  VertexIndex target;
  BrickRule bricks;

  bool operator()(const Edge& edge) const {
    const bool brick = edge.resource && graph.resource(*edge.resource).kind == ResourceKind::nvlink;
    if ((bricks == BrickRule::avoided && brick) || (bricks == BrickRule::only && !brick))
      return false;
    if (edge.to == target) return true;
    switch (graph.vertex(edge.to).kind) {
      case VertexKind::gpu:
      case VertexKind::memory:
      case VertexKind::media:
        return false;
      // Else a transfer could leave the machine by one NIC and come back by another.
      case VertexKind::network:
        return graph.vertex(edge.from).kind == VertexKind::store ||
               graph.vertex(target).kind == VertexKind::media;
      default:
        return true;
    }
  }
};

/// The edges of a graph by where they begin, each vertex's in the graph's order.
class EdgesByStart {
 public:
  explicit EdgesByStart(const Graph& graph)
      : begin_(graph.vertices.size(), 0), edges_(graph.edges.size()) {
    for (const Edge& edge : graph.edges) ++begin_[edge.from];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    // So far each is where its edges end; from the last on, they move it to where they begin.
    for (auto edge = graph.edges.rbegin(); edge != graph.edges.rend(); ++edge)
      edges_[--begin_[edge->from]] = &*edge;
  }
  std::span<const Edge* const> from(VertexIndex vertex) const {
    const std::size_t next = vertex.position() + 1;
    const std::size_t end = next < begin_.size() ? begin_[VertexIndex(next)] : edges_.size();
    return std::span(edges_).subspan(begin_[vertex], end - begin_[vertex]);
  }

 private:
  Indexed<VertexIndex, std::size_t> begin_;
  std::vector<const Edge*> edges_;
};

/// The edge by which a breadth-first search first reaches each vertex, until it reaches the target.
Indexed<VertexIndex, const Edge*> search(const Graph& graph, VertexIndex from,
                                         const Usable& usable) {
  const EdgesByStart edges(graph);
  Indexed<VertexIndex, const Edge*> last(graph.vertices.size(), nullptr);
  std::vector<VertexIndex> reached{from};
  for (std::size_t next = 0; next < reached.size() && !last[usable.target]; ++next)
    for (const Edge* const edge : edges.from(reached[next])) {
      if (edge->to == from || last[edge->to] || !usable(*edge)) continue;
      last[edge->to] = edge;
      reached.push_back(edge->to);
    }
  return last;
}

void take(Route& route, ResourceIndex resource) {
  if (times_taken(route, resource) == 0) route.resources.push_back(resource);
}

bool crosses_sockets(const Graph& graph, const Route& route) {
  return std::ranges::any_of(route.resources, [&](ResourceIndex resource) {
    return graph.resource(resource).kind == ResourceKind::socket_link;
  });
}

void take_pass_limits(const Graph& graph, Route& route, VertexIndex from, VertexIndex to,
                      bool through_socket) {
  using Of = PassLimit::Of;
  const bool from_memory = graph.vertex(from).kind == VertexKind::memory;
  const bool to_memory = graph.vertex(to).kind == VertexKind::memory;
  const bool remote = crosses_sockets(graph, route);
  const bool from_device =
      through_socket && !from_memory && graph.vertex(from).kind != VertexKind::gpu;
  for (const auto& limit : graph.pass_limits) {
    const bool passes =
        (limit.of == Of::both_ways &&
         ((from_memory && limit.vertex == to) || (to_memory && limit.vertex == from))) ||
        (limit.of == Of::from_devices && from_device && limit.vertex == to) ||
        (limit.of == Of::remote_reads && remote && !to_memory && limit.vertex == from) ||
        (limit.of == Of::remote_writes && remote && !from_memory && limit.vertex == to) ||
        (limit.of == Of::remote_core_reads && remote && from_memory && to_memory &&
         limit.vertex == from);
    if (passes) take(route, limit.resource);
  }
}

std::optional<Route> find_route(const Graph& graph, VertexIndex from, VertexIndex to,
                                BrickRule bricks) {
  const auto last = search(graph, from, {graph, to, bricks});
  std::vector<const Edge*> way;
  for (VertexIndex vertex = to; vertex != from; vertex = way.back()->from) {
    const Edge* edge = last[vertex];
    if (!edge) return {};
    way.push_back(edge);
  }
  Route route;
  for (auto edge = way.rbegin(); edge != way.rend(); ++edge) {
    if ((*edge)->resource) take(route, *(*edge)->resource);
    route.latency += (*edge)->latency;
  }
  const bool through_socket = std::ranges::any_of(
      way, [&](const Edge* edge) { return graph.vertex(edge->to).kind == VertexKind::socket; });
  take_pass_limits(graph, route, from, to, through_socket);
  return route;
}

/// The memory that a GPU's traffic passes; nothing where it goes directly.
std::optional<VertexIndex> stop_of(const Scenario& scenario, const Graph& graph, VertexIndex end,
                                   std::size_t gpu, ReadPath path) {
  if (path == ReadPath::gpudirect || graph.vertex(end).kind != VertexKind::gpu) return {};
  const System& system = *scenario.system;
  return graph.memory_of(socket_of(system, system.gpus[gpu]));
}

/// The shortest way from each stop to the next.
std::optional<Route> route_over(const Graph& graph, const std::vector<VertexIndex>& stops) {
  auto route = shortest_route(graph, stops[0], stops[1]);
  for (std::size_t i = 2; i < stops.size(); ++i)
    route = joined(graph, std::move(route), shortest_route(graph, stops[i - 1], stops[i]));
  return route;
}

/// Which way data move between an end, a memory or a GPU, and storage or the other nodes.
enum class Toward { end, far };

std::optional<Route> storage_route(const Scenario& scenario, const Graph& graph, PartId storage,
                                   VertexIndex end, const NicUser& user, Toward toward) {
  std::vector<VertexIndex> stops{end};
  if (const auto network = graph.find(storage, VertexKind::network)) {
    const auto nic = chosen_nic(*scenario.system, graph, *network, end, user);
    if (!nic) return {};
    stops.push_back(graph.at(*nic));
  }
  stops.push_back(graph.media_of(storage));
  if (toward == Toward::end) std::ranges::reverse(stops);
  return route_over(graph, stops);
}

/// \param card  else the nearest
std::optional<PortRoute> port_route(const Scenario& scenario, const Graph& graph, VertexIndex end,
                                    std::size_t gpu, ReadPath path, Toward toward,
                                    std::optional<PartId> card = {}) {
  const auto network = graph.find(kBetweenNodes, VertexKind::network);
  if (!network) return {};
  const auto nic =
      chosen_nic(*scenario.system, graph, *network, graph.gpu(gpu), {.gpu = gpu, .card = card});
  if (!nic) return {};
  std::vector<VertexIndex> stops{end};
  if (const auto memory = stop_of(scenario, graph, end, gpu, path)) stops.push_back(*memory);
  stops.push_back(graph.at(*nic));
  stops.push_back(*network);
  if (toward == Toward::end) std::ranges::reverse(stops);
  auto route = route_over(graph, stops);
  if (!route) return {};
  return PortRoute{std::move(*route), nic->number};
}

std::optional<Route> bounced_route(const System& system, const Graph& graph, VertexIndex from,
                                   VertexIndex to, PartId socket) {
  const VertexIndex memory = graph.memory_of(socket);
  auto route = route_over(graph, {from, memory, to});
  if (!route) return {};
  const auto& cpu = find_socket(system, socket)->model;
  auto narrowest = graph.resource(route->resources.front()).capacity;
  for (const ResourceIndex resource : route->resources)
    if (graph.resource(resource).kind != ResourceKind::memory)
      narrowest = std::min(narrowest, graph.resource(resource).capacity);
  route->cap = narrowest * cpu->staged_copy_efficiency;
  for (const auto& limit : graph.staged_limits)
    if (times_taken(*route, limit.link) > 0) route->resources.push_back(limit.resource);
  return route;
}

}  // namespace

std::optional<Route> joined(const Graph& graph, std::optional<Route> first,
                            const std::optional<Route>& second) {
  if (!first || !second) return {};
  for (const ResourceIndex resource : second->resources)
    if (graph.resource(resource).kind == ResourceKind::memory)
      first->resources.push_back(resource);
    else
      take(*first, resource);
  first->latency += second->latency;
  return first;
}

std::optional<Route> shortest_route(const Graph& graph, VertexIndex from, VertexIndex to) {
  return find_route(graph, from, to, BrickRule::allowed);
}

int times_taken(const Route& route, ResourceIndex resource) {
  return static_cast<int>(std::ranges::count(route.resources, resource));
}

std::optional<Route> read_route(const Scenario& scenario, const Graph& graph, PartId source,
                                VertexIndex target, const NicUser& user) {
  return storage_route(scenario, graph, source, target, user, Toward::end);
}

std::optional<Route> write_route(const Scenario& scenario, const Graph& graph, VertexIndex source,
                                 PartId onto, const NicUser& user) {
  return storage_route(scenario, graph, onto, source, user, Toward::far);
}

std::optional<PortRoute> port_route_out(const Scenario& scenario, const Graph& graph,
                                        VertexIndex end, std::size_t gpu, ReadPath path) {
  return port_route(scenario, graph, end, gpu, path, Toward::far);
}

std::optional<PortRoute> port_route_in(const Scenario& scenario, const Graph& graph,
                                       VertexIndex end, std::size_t gpu, ReadPath path) {
  return port_route(scenario, graph, end, gpu, path, Toward::end);
}

bool leads_to_nodes(const Graph& graph, PartId card) {
  const auto network = graph.find(kBetweenNodes, VertexKind::network);
  return network && shortest_route(graph, graph.at(card), *network);
}

std::optional<PortRoute> port_route_by(const Scenario& scenario, const Graph& graph, PartId card,
                                       std::size_t gpu, bool out) {
  return port_route(scenario, graph, graph.gpu(gpu), gpu, scenario.exchange.path.value,
                    out ? Toward::far : Toward::end, card);
}

std::optional<Route> peer_route(const Scenario& scenario, const Graph& graph, std::size_t from_gpu,
                                std::size_t to_gpu, bool nvlink) {
  const System& system = *scenario.system;
  const VertexIndex from = graph.gpu(from_gpu);
  const VertexIndex to = graph.gpu(to_gpu);
  GPUFEED_ASSERT(from != to, "a peer copy joins two GPUs of the system");
  if (nvlink)
    if (auto route = find_route(graph, from, to, BrickRule::only)) return route;
  const PartId socket = socket_of(system, system.gpus[to_gpu]);
  if (system.lets_gpus_reach() && socket_of(system, system.gpus[from_gpu]) == socket)
    return find_route(graph, from, to, BrickRule::avoided);
  return bounced_route(system, graph, from, to, socket);
}

std::optional<Route> forwarded_route(const Graph& graph, std::size_t from_gpu, std::size_t to_gpu,
                                     std::size_t via) {
  const auto hop = [&](std::size_t from, std::size_t to) {
    return find_route(graph, graph.gpu(from), graph.gpu(to), BrickRule::only);
  };
  auto route = joined(graph, hop(from_gpu, via), hop(via, to_gpu));
  if (!route) return {};
  // The way back shares the forwarding GPU: let each direction take the other's hops as well.
  for (const auto& back : {hop(to_gpu, via), hop(via, from_gpu)})
    if (back)
      for (const ResourceIndex resource : back->resources) take(*route, resource);
  auto narrowest = graph.resource(route->resources.front()).capacity;
  for (const ResourceIndex resource : route->resources)
    narrowest = std::min(narrowest, graph.resource(resource).capacity);
  route->cap = narrowest / 2;
  return route;
}

}  // namespace gpufeed
