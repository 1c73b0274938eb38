// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/traffic.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/plan/exchange/ways.h"

namespace gpufeed {
namespace {

/// Legs by a number of their own: there are few, and thousands of nodes count them.
class Legs {
 public:
  int number_of(const Leg& leg) {
    return numbers_.try_emplace(leg, static_cast<int>(numbers_.size())).first->second;
  }
  NodeTraffic named(const auto& counts) const {
    NodeTraffic out;
    for (const auto& [leg, number] : numbers_) {
      const auto found =
          std::ranges::find(counts, number, [](const auto& one) { return one.first; });
      if (found != counts.end()) out.emplace_hint(out.end(), leg, found->second);
    }
    return out;
  }

 private:
  std::map<Leg, int> numbers_;
};

/// What a node sends and receives in a phase, by the numbers of legs, in their order once all is
/// counted.
using LegCounts = std::vector<std::pair<int, Bytes>>;

/// A phase of an algorithm, node by node.
struct Counted {
  Algorithm algorithm;
  PhaseTraffic phase;             ///< but for `of_node`
  std::vector<LegCounts> of_all;  ///< of all nodes one by one
};

void add(LegCounts& to, int leg, Bytes size) {
  const auto known = std::ranges::find(to, leg, [](const auto& one) { return one.first; });
  if (known == to.end())
    to.emplace_back(leg, size);
  else
    known->second += size;
}

/// The journeys of a phase: those of sends between the same places of nodes are one.
class Journeys {
 public:
  struct Known {
    Journey journey;
    int first = 0;                   ///< number of the leg
    std::optional<int> second = {};  ///< on another node
    double rounds = 0;
  };

  Journeys(const ExchangeWays& ways, Legs& legs) : ways_(ways), legs_(legs) {}

  Known& of(const Send& send, std::size_t lane) {
    const bool within = ways_.node_of(send.from) == ways_.node_of(send.to);
    const auto gpus = static_cast<std::size_t>(ways_.per_node());
    std::size_t place = lane;
    for (const auto& [digit, base] : {std::pair{static_cast<std::size_t>(send.over), kOvers},
                                      std::pair{std::size_t{within}, std::size_t{2}},
                                      std::pair{static_cast<std::size_t>(send.from) % gpus, gpus},
                                      std::pair{static_cast<std::size_t>(send.to) % gpus, gpus}})
      place = place * base + digit;
    if (place >= places_.size()) places_.resize(place + 1, kNone);
    std::size_t& at = places_[place];
    if (at == kNone) {
      at = all_.size();
      const Journey journey = ways_.journey_of(send, lane);
      Known& known = all_.emplace_back(Known{journey, legs_.number_of(journey.first)});
      if (journey.second) known.second = legs_.number_of(*journey.second);
    }
    return all_[at];
  }

  std::map<Journey, double> rounds() const {
    std::map<Journey, double> out;
    for (const Known& one : all_) {
      double& most = out[one.journey];
      most = std::max(most, one.rounds);
    }
    return out;
  }

 private:
  static constexpr std::size_t kOvers = 4;
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  const ExchangeWays& ways_;
  Legs& legs_;
  std::vector<std::size_t> places_;  ///< in `all_`, by ends on a node, way and lane
  std::vector<Known> all_;
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

Counted counted(Algorithm algorithm, const SendPhase& sends, const ExchangeWays& ways, Legs& legs) {
  Counted out{algorithm, {}, std::vector<LegCounts>(static_cast<std::size_t>(ways.nodes()))};
  PhaseTraffic& phase = out.phase;
  phase.ready = sends.ready;
  phase.calls = sends.calls;
  const auto of_node = [&](int rank) -> LegCounts& {
    return out.of_all[static_cast<std::size_t>(ways.node_of(rank))];
  };
  Journeys journeys(ways, legs);
  std::map<Nodes::Place, SwitchTraffic> switches;
  for (const Send& send : sends.sends) {
    if (send.size.value <= 0) continue;
    for (std::size_t lane = 0, lanes = ways.lanes_of(send); lane < lanes; ++lane) {
      const Bytes size = send.size / static_cast<double>(lanes);
      Journeys::Known& taken = journeys.of(send, lane);
      taken.rounds = std::max(taken.rounds, send.rounds);
      add(of_node(send.from), taken.first, size);
      if (!taken.second) continue;
      add(of_node(send.to), *taken.second, size);
      const auto from = ways.switch_of(send.from, taken.journey.first);
      const auto to = ways.switch_of(send.to, *taken.journey.second);
      if (from == to) continue;
      switches[from].up += size;
      switches[to].down += size;
    }
  }
  phase.rounds = journeys.rounds();
  phase.of_rail = most_of_rails(switches);
  for (LegCounts& counts : out.of_all)
    std::ranges::sort(counts, {}, [](const auto& one) { return one.first; });
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
    std::map<std::pair<int, const LegCounts*>, int, decltype(less)> known(less);
    for (std::size_t n = 0; n < kinds.size(); ++n)
      kinds[n] = known.try_emplace({kinds[n], &counted.of_all[n]}, known.size()).first->second;
  }
  return kinds;
}

}  // namespace

Traffic traffic_of(const std::map<Algorithm, Pattern>& patterns, const ExchangeWays& ways) {
  std::vector<Counted> all;
  Legs legs;
  Traffic traffic;
  for (const auto& [algorithm, pattern] : patterns) {
    traffic.phases[algorithm];
    for (const SendPhase& sends : pattern) all.push_back(counted(algorithm, sends, ways, legs));
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
    for (const std::size_t n : first_of_kind) phase.of_node.push_back(legs.named(of_all[n]));
    traffic.phases[algorithm].push_back(std::move(phase));
  }
  return traffic;
}

}  // namespace gpufeed
