// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/servers.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "sim/plan/passes.h"

namespace gpufeed {
namespace {

enum class Way { push, pull };

/// The sum passes the memory that the gradients arrive in.
Route summed(const ExchangeWays& ways, Route route, Way way) {
  if (way == Way::push)
    pass_memory(ways.plan().graph, route, ways.system().sockets.front().id, kSumPasses);
  return route;
}

/// Between a GPU and the memory of a node's first socket.
std::optional<Route> server_way(const ExchangeWays& ways, int rank, int server, Way way) {
  const Graph& graph = ways.plan().graph;
  const std::size_t gpu = ways.number_of(rank);
  const int node = ways.node_of(rank);
  const VertexIndex memory = graph.memory_of(ways.system().sockets.front().id);
  const VertexIndex from = way == Way::push ? graph.gpu(gpu) : memory;
  const VertexIndex to = way == Way::push ? memory : graph.gpu(gpu);
  if (server == node) {
    auto route = shortest_route(graph, from, to);
    if (!route) return {};
    return ways.cluster().on(server, summed(ways, std::move(*route), way));
  }
  const ReadPath path = ways.scenario().exchange.path;
  const auto out = port_route_out(ways.scenario(), graph, from, gpu, path);
  auto in = port_route_in(ways.scenario(), graph, to, gpu, path);
  if (!out || !in) return {};
  in->route = summed(ways, std::move(in->route), way);
  return way == Way::push ? ways.cluster().between(node, *out, server, *in)
                          : ways.cluster().between(server, *out, node, *in);
}

void add_server(ExchangeWays& ways, ExchangePhases& phases, int rank, int server, Bytes size) {
  if (size.value <= 0) return;
  const auto memory = fmt::format("the memory of node {}", server);
  const auto gpu = ways.name_of(rank);
  ways.send_over(phases[0], server_way(ways, rank, server, Way::push), gpu, memory, size);
  ways.send_over(phases[1], server_way(ways, rank, server, Way::pull), memory, gpu, size);
}

}  // namespace

void add_serving(ExchangeWays& ways, ExchangePhases& phases, int rank) {
  const int servers = static_cast<int>(std::min<std::int64_t>(
      ways.scenario().exchange.servers.value_or(ways.nodes()), ways.nodes()));
  const int node = ways.node_of(rank);
  const double local = node < servers ? 1.0 / servers : 0.0;
  const int others = servers - (node < servers ? 1 : 0);
  int server = rank % servers;
  if (node < servers)
    server = others > 0 ? (node + 1 + rank % ways.per_node() % others) % servers : node;
  if (!ways.plan().exchange_included)
    add_server(ways, phases, rank, node, ways.gradients() * local);
  add_server(ways, phases, rank, server, ways.gradients() * (1 - local));
}

ExchangePhases server_phases(ExchangeWays& ways) {
  ExchangePhases phases(2);
  for (int rank = 0; rank < ways.ranks(); ++rank) add_serving(ways, phases, rank);
  return phases;
}

}  // namespace gpufeed
