// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/passes.h"
#include "sim/topology/card_route.h"

namespace gpufeed {
namespace {

/// Lets one flow take what was added to a route in parts.
void settle(std::vector<Flow>& flows) {
  if (flows.empty()) return;
  const auto [first, last] = std::ranges::minmax(flows, {}, &Flow::route);
  const std::size_t least = first.route.position();
  std::vector<std::size_t> place(last.route.position() - least + 1, flows.size());
  std::vector<Flow> settled;
  for (const Flow& flow : flows) {
    std::size_t& at = place[flow.route.position() - least];
    if (at < settled.size()) {
      settled[at].size += flow.size;
    } else {
      at = settled.size();
      settled.push_back(flow);
    }
  }
  flows = std::move(settled);
}

/// Without anything that travels. \param sends  SendPhase or PhaseTraffic
ExchangePhase empty_phase(const auto& sends) {
  return {.latency = {}, .flows = {}, .ready = sends.ready, .calls = sends.calls};
}

/// The first rank of each node, and one past the last; empty where all have as many.
std::vector<int> starts_of(const Scenario& scenario) {
  if (!is_uneven(scenario)) return {};
  std::vector<int> starts{0};
  for (std::int64_t node = 0; node < scenario.nodes; ++node)
    starts.push_back(starts.back() + static_cast<int>(gpus_of_node(scenario, node)));
  return starts;
}

double calls_of(const auto& sends) { return sends.calls ? sends.calls->count : 1; }

}  // namespace

ExchangeWays::ExchangeWays(const Scenario& scenario, const Nodes& cluster, Plan& plan,
                           Diagnostics& missing, Bytes gradients)
    : scenario_(scenario),
      cluster_(cluster),
      plan_(plan),
      missing_(missing),
      nodes_(static_cast<int>(cluster.count())),
      starts_(starts_of(scenario)),
      per_node_(static_cast<int>(gpus_per_node(scenario))),
      gradients_(gradients),
      cards_(find_cards()) {}

std::optional<Bytes> ExchangeWays::bucket() const {
  const auto& given = scenario_.exchange.bucket;
  if (given || !shares_parameters(scenario_)) return given;
  return gradients_ / static_cast<double>(scenario_.workload.model()->blocks.value_or(1));
}

double ExchangeWays::buckets() const {
  constexpr double kRounding = 1e-9;
  const auto size = bucket();
  return size ? std::max(1.0, std::ceil(gradients_ / *size - kRounding)) : 1;
}

CollectiveCalls ExchangeWays::calls(CollectiveOperation operation, int ranks, int nodes,
                                    double part) const {
  return {operation, ranks, nodes, gradients_ * (part / buckets()), buckets()};
}

Label ExchangeWays::label_of(int rank) const {
  const Label gpu = gpufeed::label_of(scenario_, {PartKind::gpu, number_of(rank)});
  return node_of(rank) == 0 ? gpu : inside(gpu, fmt::format("of node {}", node_of(rank)));
}

std::vector<std::vector<std::size_t>> ExchangeWays::find_cards() const {
  std::vector<std::vector<std::size_t>> cards;
  for (std::size_t gpu = 0; gpu < static_cast<std::size_t>(per_node_); ++gpu) {
    const auto out = port_route_out(scenario_, plan_.graph, plan_.graph.gpu(gpu), gpu,
                                    scenario_.exchange.path.value);
    cards.push_back(out ? cards_beside(gpu, out->nic) : std::vector<std::size_t>{});
  }
  return cards;
}

/// GPUs at one place deal the cards there; over sockets a way has so many connections, whatever
/// cards they take.
/// \source  NCCL 2.28, src/graph/search.cc (channels over all cards that are nearest to a GPU)
std::vector<std::size_t> ExchangeWays::cards_beside(std::size_t gpu, std::size_t nearest) const {
  const auto& gpus = system().gpus;
  const auto place = gpus[gpu].at.part;
  const auto& nics = system().nics;
  if (nics[nearest].at.part != place || network_of(nearest).most) return {nearest};
  std::size_t sharing = 0;
  for (std::size_t other = 0; other < static_cast<std::size_t>(per_node_); ++other)
    if (gpus[other].at.part == place) ++sharing;
  std::vector<std::size_t> beside;
  for (std::size_t i = 0; i < nics.size(); ++i)
    if (nics[i].at.part == place && leads_to_nodes(plan_.graph, {PartKind::nic, i}))
      beside.push_back(i);
  const auto first = std::ranges::find(beside, nearest) - beside.begin();
  std::vector<std::size_t> own{nearest};
  for (std::size_t more = 1; more < beside.size() / sharing; ++more)
    own.push_back(beside[(static_cast<std::size_t>(first) + more * sharing) % beside.size()]);
  return own;
}

std::size_t ExchangeWays::lanes_of(const Send& send) const {
  if (node_of(send.from) == node_of(send.to) || send.over == Over::push || send.over == Over::pull)
    return 1;
  const auto of = [&](int rank) { return cards_[number_of(rank)].size(); };
  return std::max(std::size_t{1}, std::min(of(send.from), of(send.to)));
}

/// Of a parameter server's ways, the GPU's own card is taken on both nodes.
Journey ExchangeWays::journey_of(const Send& send, std::size_t lane) const {
  using enum Leg::Part;
  const std::size_t from = number_of(send.from), to = number_of(send.to);
  const bool served = send.over == Over::push || send.over == Over::pull;
  const std::size_t gpu = send.over == Over::pull ? to : from;
  if (node_of(send.from) == node_of(send.to)) return {{all, send.over, gpu, served ? gpu : to}, {}};
  return {{out, send.over == Over::pull ? Over::pull : Over::pcie, gpu, 0, lane},
          Leg{in, send.over == Over::push ? Over::push : Over::pcie, served ? gpu : to, 0, lane}};
}

/// Those of all nodes are alike.
const std::optional<PortRoute>& ExchangeWays::route_of(const Leg& leg) {
  const auto [it, is_new] = legs_.try_emplace(leg);
  if (is_new) it->second = find_route(leg);
  return it->second;
}

std::optional<PortRoute> ExchangeWays::find_route(const Leg& leg) const {
  constexpr PartId server{PartKind::socket, 0};
  std::optional<PortRoute> found;
  if (leg.part == Leg::Part::all) {
    if (auto route = within_node(leg)) found = PortRoute{std::move(*route)};
  } else {
    const bool at_server = leg.over == Over::push || leg.over == Over::pull;
    const VertexIndex end = at_server ? plan_.graph.memory_of(server) : plan_.graph.gpu(leg.gpu);
    const auto find = leg.part == Leg::Part::out ? port_route_out : port_route_in;
    if (leg.lane == 0)
      found = find(scenario_, plan_.graph, end, leg.gpu, scenario_.exchange.path.value);
    else
      found = port_route_by(scenario_, plan_.graph, {PartKind::nic, *card_of(leg)}, leg.gpu,
                            leg.part == Leg::Part::out);
    const auto most = found && !at_server ? network_of(found->nic).most : std::nullopt;
    if (most) found->route.cap = std::min(found->route.cap.value_or(*most), *most);
  }
  // The sum passes the memory that the gradients arrive in.
  if (found && leg.over == Over::push) pass_memory(plan_.graph, found->route, server, kSumPasses);
  return found;
}

/// The graph gives NVLink the rate of rings; other ways are those of copies, which they share.
std::optional<Route> ExchangeWays::within_node(const Leg& leg) const {
  const Graph& graph = plan_.graph;
  const VertexIndex memory = graph.memory_of({PartKind::socket, 0});
  if (leg.over == Over::push) return shortest_route(graph, graph.gpu(leg.gpu), memory);
  if (leg.over == Over::pull) return shortest_route(graph, memory, graph.gpu(leg.gpu));
  auto route = peer_route(scenario_, graph, leg.gpu, leg.to, leg.over == Over::nvlink);
  const auto& share = scenario_.exchange.ring_efficiency;
  if (!route || !share) return route;
  const bool takes_nvlink = std::ranges::any_of(route->resources, [&](ResourceIndex resource) {
    return plan_.resource(resource).kind == ResourceKind::nvlink;
  });
  if (!takes_nvlink) route->cap = solo_rate(graph, *route) * share->value;
  return route;
}

std::optional<Route> ExchangeWays::way_of(const Send& send, std::size_t lane) {
  const Journey journey = journey_of(send, lane);
  const auto& first = route_of(journey.first);
  if (!first) return {};
  if (!journey.second) return cluster_.on(node_of(send.from), first->route);
  const auto& second = route_of(*journey.second);
  if (!second) return {};
  Route way = cluster_.between(node_of(send.from), *first, node_of(send.to), *second);
  way.latency += network_of(first->nic).farther;
  return way;
}

NetworkWay ExchangeWays::network_of(std::size_t card) const {
  return network_way(scenario_, *system().nics[card].model);
}

void ExchangeWays::report_no_way(const Send& send) {
  const auto memory = [&](int rank) {
    return Label(fmt::format("the memory of node {}", node_of(rank)));
  };
  gpufeed::report_no_way(missing_, scenario_.where, scenario_,
                         send.over == Over::pull ? memory(send.from) : label_of(send.from),
                         send.over == Over::push ? memory(send.to) : label_of(send.to));
}

std::size_t ExchangeWays::Hashed::operator()(const Taken& one) const {
  constexpr std::size_t kOvers = 4, kPrime = 1'000'003, kLanes = 31;
  return ((static_cast<std::size_t>(one.from) * kPrime + static_cast<std::size_t>(one.to)) *
              kLanes +
          one.lane) *
             kOvers +
         static_cast<std::size_t>(one.over);
}

std::optional<RouteIndex> ExchangeWays::add_route(const Send& send, std::size_t lane) {
  const auto [it, is_new] = routes_.try_emplace(Taken{send.from, send.to, send.over, lane});
  if (!is_new) return it->second;
  if (auto way = way_of(send, lane))
    it->second = plan_.routes.add(std::move(*way));
  else
    report_no_way(send);
  return it->second;
}

ExchangePhases ExchangeWays::phases_of(const Pattern& pattern) {
  ExchangePhases phases;
  for (const SendPhase& sends : pattern) {
    ExchangePhase phase = empty_phase(sends);
    phase.flows.reserve(sends.sends.size());
    routes_.reserve(sends.sends.size());
    for (const Send& send : sends.sends)
      for (std::size_t lane = 0, lanes = lanes_of(send); lane < lanes; ++lane) {
        const auto route = add_route(send, lane);
        if (!route || send.size.value <= 0) continue;
        phase.latency =
            std::max(phase.latency, plan_.route(*route).latency * (send.rounds * calls_of(sends)));
        phase.flows.push_back({*route, send.size / static_cast<double>(lanes)});
      }
    settle(phase.flows);
    if (!phase.flows.empty()) phases.push_back(std::move(phase));
  }
  return phases;
}

std::optional<std::size_t> ExchangeWays::card_of(const Leg& leg) const {
  if (leg.gpu >= cards_.size() || leg.lane >= cards_[leg.gpu].size()) return {};
  return cards_[leg.gpu][leg.lane];
}

Nodes::Place ExchangeWays::switch_of(int rank, const Leg& leg) const {
  return cluster_.switch_of(node_of(rank), card_of(leg).value_or(0));
}

Seconds ExchangeWays::latency_of(const Journey& journey) {
  const auto& first = route_of(journey.first);
  if (!first) return {};
  if (!journey.second) return first->route.latency;
  const auto& second = route_of(*journey.second);
  if (!second) return {};
  return first->route.latency + second->route.latency + cluster_.latency() +
         network_of(first->nic).farther;
}

void ExchangeWays::add_uplinks(std::size_t rail, const SwitchTraffic& traffic,
                               ExchangePhase& phase) {
  const Nodes::Leaf& leaf = cluster_.leaf_of_rail(rail);
  const auto add = [&](ResourceIndex link, Bytes size) {
    if (size.value <= 0) return;
    // Where several nodes are shown of each on a switch, as many flows: none is larger than it is.
    const double each = plan_.resource(link).stands_for;
    const int flows = std::max(1, static_cast<int>(std::ceil(1 / each)));
    const RouteIndex route = plan_.routes.add({{link}, {}, {}});
    for (int i = 0; i < flows; ++i) phase.flows.push_back({route, size / (each * flows)});
  };
  add(leaf.up, traffic.up);
  add(leaf.down, traffic.down);
}

ExchangePhases ExchangeWays::phases_of(const std::vector<PhaseTraffic>& traffic) {
  ExchangePhases phases;
  for (const PhaseTraffic& all : traffic) {
    ExchangePhase phase = empty_phase(all);
    for (const auto& [journey, rounds] : all.rounds)
      phase.latency = std::max(phase.latency, latency_of(journey) * (rounds * calls_of(all)));
    for (std::size_t node = 0; node < all.of_node.size(); ++node)
      for (const auto& [leg, size] : all.of_node[node])
        if (const auto& found = route_of(leg))
          phase.flows.push_back(
              {plan_.routes.add(cluster_.on(static_cast<int>(node), found->route)), size});
    for (const auto& [rail, most] : all.of_rail) add_uplinks(rail, most, phase);
    phases.push_back(std::move(phase));
  }
  return phases;
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
