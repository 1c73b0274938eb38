// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/bound.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <limits>
#include <set>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// The wanted rate as an integer flow; small enough that a double holds every integer up to it.
constexpr std::int64_t kWhole = std::int64_t{1} << 52;

constexpr double kJustAbove = 1e-8;  ///< so that a cut which lets through just what is asked shows

/// An edge of the flow network, in samples per second.
struct Pipe {
  std::size_t from;
  std::size_t to;
  std::optional<ResourceIndex> resource = {};
  double capacity = kInfinite;
  double share = 0.0;  ///< above 0: its capacity is this share of the wanted rate
};

/// Reads flow over the vertices of the graph; behind each memory that feeds GPUs, copies flow over
/// a layer of vertices of their own, so that no sample is copied by way of another socket's memory.
class Network {
 public:
  Network(const Graph& graph, const FeedDemand& demand)
      : graph_(graph), demand_(demand), sockets_(demand.sockets.begin(), demand.sockets.end()) {
    for (const PartId drive : demand.sources)
      pipes_.push_back({source(),
                        vertex(0, graph.media_of(drive)),
                        {},
                        kInfinite,
                        1.0 / static_cast<double>(demand.sources.size())});
    for (const auto& edge : graph.edges) add_read(edge);
    std::size_t layer = 0;
    for (const PartId socket : sockets_) add_copies(++layer, socket);
  }

  std::size_t source() const { return 0; }
  std::size_t sink() const { return 1; }
  std::size_t size() const { return vertex(sockets_.size() + 1, VertexIndex(0)); }
  const std::vector<Pipe>& pipes() const { return pipes_; }

  std::size_t gpu_vertex(std::size_t position) const {
    const auto socket = sockets_.find(demand_.sockets[position]);
    const auto layer = 1 + static_cast<std::size_t>(std::distance(sockets_.begin(), socket));
    return vertex(layer, graph_.gpu(demand_.gpus[position]));
  }

 private:
  std::size_t vertex(std::size_t layer, VertexIndex index) const {
    return 2 + layer * graph_.vertices.size() + index.position();
  }

  void add_pipe(std::size_t layer, const Edge& edge, Bytes bytes) {
    const bool limited = edge.resource && bytes.value > 0;
    const double capacity =
        limited ? (graph_.resource(*edge.resource).capacity / bytes).value : kInfinite;
    pipes_.push_back({vertex(layer, edge.from), vertex(layer, edge.to), edge.resource, capacity});
  }

  void add_read(const Edge& edge) {
    const auto from = graph_.vertex(edge.from).kind;
    const auto to = graph_.vertex(edge.to).kind;
    if (from == VertexKind::memory || from == VertexKind::gpu) return;
    if (to == VertexKind::media || to == VertexKind::gpu) return;
    if (to == VertexKind::network && from != VertexKind::store) return;
    const auto copied = to == VertexKind::memory ? demand_.copied_per_sample : Bytes{};
    add_pipe(0, edge, demand_.read_per_sample + copied);
  }

  void add_copies(std::size_t layer, PartId socket) {
    const VertexIndex memory = graph_.memory_of(socket);
    pipes_.push_back({vertex(0, memory), vertex(layer, memory)});
    for (const auto& edge : graph_.edges) {
      const auto from = graph_.vertex(edge.from).kind;
      const auto to = graph_.vertex(edge.to).kind;
      const bool inside = from == VertexKind::socket || from == VertexKind::pcie_switch;
      const bool onward =
          to == VertexKind::socket || to == VertexKind::pcie_switch || to == VertexKind::gpu;
      if (!onward) continue;
      if (edge.from == memory) add_pipe(layer, edge, {});  // the memory is paid on the way in
      if (inside) add_pipe(layer, edge, demand_.copied_per_sample);
    }
    for (std::size_t i = 0; i < demand_.gpus.size(); ++i)
      if (demand_.sockets[i] == socket)
        pipes_.push_back(
            {gpu_vertex(i), sink(), {}, kInfinite, 1.0 / static_cast<double>(demand_.gpus.size())});
  }

  const Graph& graph_;
  const FeedDemand& demand_;
  std::set<PartId> sockets_;
  std::vector<Pipe> pipes_;
};

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Arc {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse{};
};
using FlowGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;

/// Capacities as parts of the wanted rate, none above the whole of it.
FlowGraph flow_graph(const Network& network, double rate) {
  FlowGraph flow(network.size());
  const auto whole = static_cast<double>(kWhole);
  for (const auto& pipe : network.pipes()) {
    const double part = pipe.share > 0 ? pipe.share : std::min(pipe.capacity / rate, 1.0);
    const auto there = boost::add_edge(pipe.from, pipe.to, flow).first;
    const auto back = boost::add_edge(pipe.to, pipe.from, flow).first;
    flow[there].capacity = static_cast<std::int64_t>(part * whole);
    flow[there].reverse = back;
    flow[back].reverse = there;
  }
  return flow;
}

struct Unsaturated {
  const FlowGraph* flow = nullptr;
  bool operator()(const Traits::edge_descriptor& arc) const { return (*flow)[arc].residual > 0; }
};

struct Reached : boost::default_bfs_visitor {
  explicit Reached(std::vector<bool>& into) : vertices(&into) {}
  template <class AnyGraph>
  void discover_vertex(std::size_t vertex, const AnyGraph&) const {
    (*vertices)[vertex] = true;
  }
  std::vector<bool>* vertices;
};

/// The vertices on the data's side of the min cut at `rate`; nothing where the network carries it.
std::optional<std::vector<bool>> min_cut(const Network& network, double rate) {
  auto flow = flow_graph(network, rate);
  const auto carried = boost::push_relabel_max_flow(
      flow, network.source(), network.sink(), boost::get(&Arc::capacity, flow),
      boost::get(&Arc::residual, flow), boost::get(&Arc::reverse, flow),
      boost::get(boost::vertex_index, flow));
  const auto rounding = static_cast<std::int64_t>(network.pipes().size());
  if (carried >= kWhole - rounding) return {};
  std::vector<bool> side(network.size(), false);
  boost::breadth_first_search(
      boost::filtered_graph<FlowGraph, Unsaturated>(flow, Unsaturated{&flow}), network.source(),
      boost::visitor(Reached(side)));
  return side;
}

/// The most that a cut lets through: its limits add up, its shares grow with the rate.
double rate_through(const Network& network, const std::vector<bool>& side) {
  double fixed = 0.0;
  double share = 0.0;
  for (const auto& pipe : network.pipes()) {
    if (!side[pipe.from] || side[pipe.to]) continue;
    if (pipe.share > 0)
      share += pipe.share;
    else
      fixed += pipe.capacity;
  }
  return fixed / (1.0 - share);
}

/// Above what any cut allows: a cut that limits spares at least one source's and one GPU's share.
double start_rate(const Network& network, const FeedDemand& demand) {
  double sum = 0.0;
  for (const auto& pipe : network.pipes())
    if (pipe.capacity < kInfinite) sum += pipe.capacity;
  const auto shares = demand.gpus.size() * demand.sources.size();
  return 1.0 + 2.0 * sum * static_cast<double>(shares);
}

}  // namespace

FeedBound feed_bound(const Graph& graph, const FeedDemand& demand, Rate most) {
  GPUFEED_ASSERT(demand.gpus.size() == demand.sockets.size(), "each GPU has its socket");
  const Network network(graph, demand);
  double rate = std::min(start_rate(network, demand), most.value * (1 + kJustAbove));
  std::vector<bool> side;
  while (rate > 0) {
    const auto cut = min_cut(network, rate);
    if (!cut) break;
    const double lower = rate_through(network, *cut);
    if (!(lower < rate)) break;  // what is left is rounding
    rate = lower;
    side = *cut;
  }
  if (side.empty()) return {{kInfinite}, {}, {}};
  FeedBound bound{{rate}, {}, {}};
  std::set<ResourceIndex> resources;
  for (const auto& pipe : network.pipes())
    if (side[pipe.from] && !side[pipe.to] && pipe.share == 0.0 && pipe.resource)
      resources.insert(*pipe.resource);
  bound.cut.assign(resources.begin(), resources.end());
  for (std::size_t i = 0; i < demand.gpus.size(); ++i)
    if (!side[network.gpu_vertex(i)]) bound.starved.push_back(i);
  return bound;
}

}  // namespace gpufeed
