// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/traffic.h"

#include <algorithm>

#include "sim/plan/exchange/ways.h"

namespace gpufeed {
namespace {

/// Of all nodes one by one.
struct Counted {
  Algorithm algorithm;
  PhaseTraffic phase;
};

std::map<std::size_t, SwitchTraffic> most_of_rails(
    const std::map<Nodes::Place, SwitchTraffic>& switches) {
  std::map<std::size_t, SwitchTraffic> rails;
  for (const auto& [place, traffic] : switches) {
    SwitchTraffic& most = rails[place.rail];
    most.up = std::max(most.up, traffic.up);
    most.down = std::max(most.down, traffic.down);
  }
  return rails;
}

PhaseTraffic counted(const SendPhase& sends, const ExchangeWays& ways) {
  PhaseTraffic phase;
  phase.ready = sends.ready;
  phase.calls = sends.calls;
  phase.of_node.resize(static_cast<std::size_t>(ways.nodes()));
  const auto add = [&](int rank, const Leg& leg, Bytes size) {
    phase.of_node[static_cast<std::size_t>(ways.node_of(rank))][leg] += size;
  };
  std::map<Nodes::Place, SwitchTraffic> switches;
  for (const Send& send : sends.sends) {
    if (send.size.value <= 0) continue;
    for (std::size_t lane = 0, lanes = ways.lanes_of(send); lane < lanes; ++lane) {
      const Bytes size = send.size / static_cast<double>(lanes);
      const Journey journey = ways.journey_of(send, lane);
      double& rounds = phase.rounds[journey];
      rounds = std::max(rounds, send.rounds);
      add(send.from, journey.first, size);
      if (!journey.second) continue;
      add(send.to, *journey.second, size);
      const auto from = ways.switch_of(send.from, journey.first);
      const auto to = ways.switch_of(send.to, *journey.second);
      if (from == to) continue;
      switches[from].up += size;
      switches[to].down += size;
    }
  }
  phase.of_rail = most_of_rails(switches);
  return phase;
}

/// The kind of each node: those of one kind are alike in all phases. Kinds are counted from 0, as
/// nodes come.
std::vector<int> kinds_of(const std::vector<Counted>& phases, int nodes) {
  std::vector<int> kinds(static_cast<std::size_t>(nodes), 0);
  for (const Counted& counted : phases) {
    const auto less = [](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first < b.first;
      return *a.second < *b.second;
    };
    std::map<std::pair<int, const NodeTraffic*>, int, decltype(less)> known(less);
    for (std::size_t n = 0; n < kinds.size(); ++n)
      kinds[n] =
          known.try_emplace({kinds[n], &counted.phase.of_node[n]}, known.size()).first->second;
  }
  return kinds;
}

}  // namespace

Traffic traffic_of(const std::map<Algorithm, Pattern>& patterns, const ExchangeWays& ways) {
  std::vector<Counted> all;
  Traffic traffic;
  for (const auto& [algorithm, pattern] : patterns) {
    traffic.phases[algorithm];
    for (const SendPhase& sends : pattern) all.push_back({algorithm, counted(sends, ways)});
  }
  const std::vector<int> kinds = kinds_of(all, ways.nodes());
  std::vector<std::size_t> first_of_kind;
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    const auto kind = static_cast<std::size_t>(kinds[n]);
    if (kind == first_of_kind.size()) {
      first_of_kind.push_back(n);
      traffic.stands_for.push_back(0);
    }
    ++traffic.stands_for[kind];
  }
  for (auto& [algorithm, phase] : all) {
    if (phase.rounds.empty()) continue;
    std::vector<NodeTraffic> of_kind;
    of_kind.reserve(first_of_kind.size());
    for (const std::size_t n : first_of_kind) of_kind.push_back(std::move(phase.of_node[n]));
    phase.of_node = std::move(of_kind);
    traffic.phases[algorithm].push_back(std::move(phase));
  }
  return traffic;
}

}  // namespace gpufeed
