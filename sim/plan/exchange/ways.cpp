// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/ways.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/scenario.h"

namespace gpufeed {
ExchangeWays::ExchangeWays(const Scenario& scenario, const Nodes& cluster, Plan& plan,
                           Diagnostics& missing, Bytes gradients)
    : scenario_(scenario),
      cluster_(cluster),
      plan_(plan),
      missing_(missing),
      nodes_(static_cast<int>(cluster.count())),
      per_node_(static_cast<int>(plan.gpus.size()) / nodes_),
      gradients_(gradients),
      cards_(find_cards()) {}

std::size_t ExchangeWays::number_of(int rank) const {
  return plan_.gpus[static_cast<std::size_t>(rank % per_node_)].number;
}

std::string ExchangeWays::name_of(int rank) const {
  const auto& id = system().gpus[number_of(rank)].id;
  return node_of(rank) == 0 ? id : fmt::format("{} of node {}", id, node_of(rank));
}

std::vector<std::optional<std::size_t>> ExchangeWays::find_cards() const {
  std::vector<std::optional<std::size_t>> cards;
  for (int rank = 0; rank < per_node_; ++rank) {
    const std::size_t gpu = number_of(rank);
    const auto out =
        port_route_out(scenario_, plan_.graph, plan_.graph.gpu(gpu), gpu, scenario_.exchange.path);
    cards.push_back(out ? std::optional(out->nic) : std::nullopt);
  }
  return cards;
}

std::optional<Route> ExchangeWays::way(int from, int to, bool nvlink) {
  const std::size_t a = number_of(from), b = number_of(to);
  if (node_of(from) == node_of(to)) {
    const auto [it, is_new] = peers_.try_emplace({a, b, nvlink});
    if (is_new) it->second = within_node(a, b, nvlink);
    std::optional<Route> route = it->second;
    if (route) route = cluster_.on(node_of(from), std::move(*route));
    return route;
  }
  const auto& out = port_of(a, true);
  const auto& in = port_of(b, false);
  if (!out || !in) return {};
  return cluster_.between(node_of(from), *out, node_of(to), *in);
}

/// The graph gives NVLink the rate of rings; other ways are those of copies, which they share.
std::optional<Route> ExchangeWays::within_node(std::size_t from, std::size_t to,
                                               bool nvlink) const {
  auto route = peer_route(scenario_, plan_.graph, from, to, nvlink);
  const auto& share = scenario_.exchange.ring_efficiency;
  if (!route || !share) return route;
  const bool takes_nvlink = std::ranges::any_of(route->resources, [&](ResourceIndex resource) {
    return plan_.resource(resource).kind == ResourceKind::nvlink;
  });
  if (!takes_nvlink) route->cap = solo_rate(plan_.graph, *route) * share->value;
  return route;
}

/// Half a way between nodes, of a GPU of the first: those of all nodes are alike.
const std::optional<PortRoute>& ExchangeWays::port_of(std::size_t gpu, bool out) {
  const auto [it, is_new] = ports_.try_emplace({gpu, out});
  if (is_new)
    it->second = (out ? port_route_out : port_route_in)(
        scenario_, plan_.graph, plan_.graph.gpu(gpu), gpu, scenario_.exchange.path);
  return it->second;
}

void ExchangeWays::send(ExchangePhase& phase, int from, int to, bool nvlink, Bytes size,
                        double rounds) {
  const auto [it, is_new] = routes_.try_emplace({from, to, nvlink});
  if (is_new) it->second = add_route(way(from, to, nvlink), name_of(from), name_of(to));
  add_flow(phase, it->second, size, rounds);
}

void ExchangeWays::send_over(ExchangePhase& phase, std::optional<Route> way,
                             const std::string& from, const std::string& to, Bytes size) {
  add_flow(phase, add_route(std::move(way), from, to), size, 1);
}

std::optional<RouteIndex> ExchangeWays::add_route(std::optional<Route> route,
                                                  const std::string& from, const std::string& to) {
  if (!route) {
    report_no_way(missing_, scenario_.where, scenario_, from, to);
    return {};
  }
  return plan_.routes.add(std::move(*route));
}

void ExchangeWays::add_flow(ExchangePhase& phase, std::optional<RouteIndex> route, Bytes size,
                            double rounds) {
  if (!route || size.value <= 0) return;
  phase.latency = std::max(phase.latency, plan_.route(*route).latency * rounds);
  phase.flows.push_back({*route, size});
}

void ExchangeWays::settle(ExchangePhases& phases) const {
  Indexed<RouteIndex, std::size_t> place(plan_.routes.size());
  for (auto& phase : phases) {
    std::vector<Flow> settled;
    std::ranges::fill(place, phase.flows.size());
    for (const Flow& flow : phase.flows) {
      std::size_t& at = place[flow.route];
      if (at < settled.size()) {
        settled[at].size += flow.size;
      } else {
        at = settled.size();
        settled.push_back(flow);
      }
    }
    phase.flows = std::move(settled);
  }
  std::erase_if(phases, [](const ExchangePhase& phase) { return phase.flows.empty(); });
}

std::vector<Route> ExchangeWays::take_routes(std::size_t first) {
  std::vector<Route> taken;
  for (std::size_t i = first; i < plan_.routes.size(); ++i)
    taken.push_back(std::move(plan_.routes[RouteIndex(i)]));
  plan_.routes.resize(first);
  routes_.clear();
  return taken;
}

void ExchangeWays::add_routes(std::vector<Route> routes) {
  for (auto& route : routes) plan_.routes.add(std::move(route));
}

}  // namespace gpufeed
