// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/chains.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Card = std::optional<std::size_t>;

/// A turn of one of the rings: the GPU where it begins, and the card by which its last GPU leaves.
struct Turn {
  std::size_t ring;
  std::size_t begin;
  Card leaves_by;
};

std::vector<Turn> turns_from(Card card, const std::vector<Ring>& rings,
                             const std::vector<Card>& cards) {
  std::vector<Turn> turns;
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    int before = rings[ring].order.back();
    for (std::size_t place = 0; place < rings[ring].order.size(); ++place) {
      const int rank = rings[ring].order[place];
      if (cards[static_cast<std::size_t>(rank)] == card)
        turns.push_back({ring, place, cards[static_cast<std::size_t>(before)]});
      before = rank;
    }
  }
  return turns;
}

std::vector<Ring> find_chains(const std::vector<Ring>& rings, const std::vector<Card>& cards,
                              bool on) {
  std::vector<Ring> chains;
  std::map<Card, int> leaving;
  std::map<std::size_t, int> taken;
  for (const Card card : std::set<Card>(cards.begin(), cards.end())) {
    const auto crowd = [&](const Turn& turn) {
      return std::pair{on ? leaving[turn.leaves_by] : 0, taken[turn.ring]};
    };
    const Turn turn = std::ranges::min(turns_from(card, rings, cards), {}, crowd);
    Ring& chain = chains.emplace_back(rings[turn.ring]);
    const auto begin = chain.order.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(turn.begin), chain.order.end());
    ++leaving[turn.leaves_by];
    ++taken[turn.ring];
  }
  return chains;
}

double bricks_of(const std::vector<Ring>& rings) {
  return std::accumulate(rings.begin(), rings.end(), 0.0,
                         [](double sum, const Ring& ring) { return sum + ring.bricks; });
}

}  // namespace

std::vector<Ring> rings_of_node(const ExchangeWays& ways, int first, int gpus) {
  if (first == 0) return find_rings(ways.system(), gpus, ways.scenario().exchange.rings);
  System part = ways.system();
  part.gpus.erase(part.gpus.begin(), part.gpus.begin() + static_cast<std::ptrdiff_t>(first));
  auto found = find_rings(part, gpus, ways.scenario().exchange.rings);
  for (auto& ring : found)
    for (int& gpu : ring.order) gpu += first;
  return found;
}

NodeChains::NodeChains(const ExchangeWays& ways, bool on) : ways_(ways) {
  std::vector<Card> nearest;
  for (const auto& cards : ways.cards())
    nearest.push_back(cards.empty() ? Card{} : Card{cards.front()});
  const int unlike = ways.is_uneven() ? ways.nodes() : 1;
  for (int node = 0; node < unlike; ++node) {
    const int gpus = ways.gpus_of(node);
    auto& chains = by_gpus_[gpus];
    if (!chains.empty()) continue;
    if (gpus == 1)
      chains = {{{0}, false, 1.0}};
    else
      chains =
          find_chains(rings_of_node(ways, 0, gpus), {nearest.begin(), nearest.begin() + gpus}, on);
    count_ = std::max(count_, chains.size());
  }
}

Over over_hops(const Ring& ring) { return ring.nvlink ? Over::nvlink : Over::pcie; }

int rank_on(const ExchangeWays& ways, int node, const Ring& chain, int place) {
  return ways.first_of(node) + chain.order[static_cast<std::size_t>(place)];
}

void send_around(const ExchangeWays& ways, SendPhase& phase, const std::vector<Ring>& rings,
                 int node, Bytes sent, double rounds) {
  const double bricks = bricks_of(rings);
  const int first = ways.first_of(node);
  for (const auto& ring : rings)
    for (std::size_t i = 0; i < ring.order.size(); ++i)
      phase.add({first + ring.order[i], first + ring.order[(i + 1) % ring.order.size()],
                 over_hops(ring), sent * (ring.bricks / bricks), rounds});
}

void send_along(const ExchangeWays& ways, SendPhase& phase, int node, const Ring& chain,
                Along direction, Bytes size) {
  const bool to_head = direction == Along::to_head;
  const int gpus = ways.gpus_of(node);
  for (int i = 0; i + 1 < gpus; ++i) {
    const int near = rank_on(ways, node, chain, i), far = rank_on(ways, node, chain, i + 1);
    phase.add({to_head ? far : near, to_head ? near : far, over_hops(chain), size,
               static_cast<double>(gpus - 1)});
  }
}

}  // namespace gpufeed
