// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/servers.h"

#include <algorithm>

#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

void add_server(const ExchangeWays& ways, Pattern& phases, int rank, int server, Bytes size) {
  if (size.value <= 0) return;
  const int on_server = server * ways.per_node();
  phases[0].add({rank, on_server, Over::push, size});
  phases[1].add({on_server, rank, Over::pull, size});
}

}  // namespace

void add_serving(const ExchangeWays& ways, Pattern& phases, int rank) {
  const int servers = static_cast<int>(std::min<std::int64_t>(
      ways.scenario().exchange.servers.value_or(ways.nodes()), ways.nodes()));
  const int asked = std::min(servers, ways.shown());
  const int node = ways.node_of(rank);
  const double local = node < servers ? 1.0 / servers : 0.0;
  const int others = servers - (node < servers ? 1 : 0);
  int server = rank % servers;
  if (node < servers)
    server = others > 0 ? (node + 1 + rank % ways.per_node() % others) % asked : node;
  if (!ways.plan().exchange_included)
    add_server(ways, phases, rank, node, ways.gradients() * local);
  add_server(ways, phases, rank, server, ways.gradients() * (1 - local));
}

Pattern server_pattern(const ExchangeWays& ways) {
  Pattern phases(2);
  for (int rank = 0; rank < ways.ranks(); ++rank) add_serving(ways, phases, rank);
  return phases;
}

/// A GPU asks one of the nodes behind its own, as many as GPUs. A ring of whole switches must not
/// lead from the last of these back into the first switch.
std::optional<int> least_ring(const Scenario& scenario, int gpus_per_node) {
  const std::int64_t nodes = scenario.nodes;
  if (scenario.exchange.servers.value_or(nodes) < nodes) return {};
  const Fabric fabric = scenario.fabric.value_or(Fabric{});
  const std::int64_t on_switch = std::min(fabric.nodes_per_switch.value_or(nodes), nodes);
  if (nodes % on_switch != 0) return {};
  std::int64_t least = gpus_per_node + 1;
  if (on_switch < nodes) least = (gpus_per_node + 2 * on_switch - 1) / on_switch * on_switch;
  return least < nodes ? std::optional(static_cast<int>(least)) : std::nullopt;
}

}  // namespace gpufeed
