// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/traffic.h"

#include <algorithm>
#include <utility>

#include "sim/plan/exchange/ways.h"

namespace gpufeed {
namespace {

/// A NodeTraffic as a list, which thousands of nodes fill and compare sooner.
using LegList = std::vector<std::pair<Leg, Bytes>>;

/// A phase of an algorithm, node by node.
struct Counted {
  Algorithm algorithm;
  PhaseTraffic phase;           ///< but for `of_node`
  std::vector<LegList> of_all;  ///< of all nodes one by one, each in the order of legs
};

void add(LegList& to, const Leg& leg, Bytes size) {
  const auto known = std::ranges::find(to, leg, &LegList::value_type::first);
  if (known == to.end())
    to.emplace_back(leg, size);
  else
    known->second += size;
}

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

Counted counted(Algorithm algorithm, const SendPhase& sends, const ExchangeWays& ways) {
  Counted out{algorithm, {}, std::vector<LegList>(static_cast<std::size_t>(ways.nodes()))};
  PhaseTraffic& phase = out.phase;
  phase.ready = sends.ready;
  phase.calls = sends.calls;
  const auto of_node = [&](int rank) -> LegList& {
    return out.of_all[static_cast<std::size_t>(ways.node_of(rank))];
  };
  std::map<Nodes::Place, SwitchTraffic> switches;
  for (const Send& send : sends.sends) {
    if (send.size.value <= 0) continue;
    for (std::size_t lane = 0, lanes = ways.lanes_of(send); lane < lanes; ++lane) {
      const Bytes size = send.size / static_cast<double>(lanes);
      const Journey journey = ways.journey_of(send, lane);
      double& rounds = phase.rounds[journey];
      rounds = std::max(rounds, send.rounds);
      add(of_node(send.from), journey.first, size);
      if (!journey.second) continue;
      add(of_node(send.to), *journey.second, size);
      const auto from = ways.switch_of(send.from, journey.first);
      const auto to = ways.switch_of(send.to, *journey.second);
      if (from == to) continue;
      switches[from].up += size;
      switches[to].down += size;
    }
  }
  phase.of_rail = most_of_rails(switches);
  for (LegList& legs : out.of_all) std::ranges::sort(legs, {}, &LegList::value_type::first);
  return out;
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
    std::map<std::pair<int, const LegList*>, int, decltype(less)> known(less);
    for (std::size_t n = 0; n < kinds.size(); ++n)
      kinds[n] = known.try_emplace({kinds[n], &counted.of_all[n]}, known.size()).first->second;
  }
  return kinds;
}

}  // namespace

Traffic traffic_of(const std::map<Algorithm, Pattern>& patterns, const ExchangeWays& ways) {
  std::vector<Counted> all;
  Traffic traffic;
  for (const auto& [algorithm, pattern] : patterns) {
    traffic.phases[algorithm];
    for (const SendPhase& sends : pattern) all.push_back(counted(algorithm, sends, ways));
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
  for (auto& [algorithm, phase, of_all] : all) {
    if (phase.rounds.empty()) continue;
    for (const std::size_t n : first_of_kind)
      phase.of_node.emplace_back(of_all[n].begin(), of_all[n].end());
    traffic.phases[algorithm].push_back(std::move(phase));
  }
  return traffic;
}

}  // namespace gpufeed
