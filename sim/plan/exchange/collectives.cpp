// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/collectives.h"

#include <bit>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/exchange/chains.h"

namespace gpufeed {

using enum CollectiveOperation;

namespace {

/// The widest row that is no longer than its column.
int most_even_width(int ranks) {
  int width = static_cast<int>(std::sqrt(static_cast<double>(ranks)) + 1e-9);
  while (ranks % width != 0) --width;
  return width;
}

int torus_width(const ExchangeWays& ways) {
  if (const auto& wanted = ways.scenario().exchange.torus_width) return static_cast<int>(*wanted);
  return ways.nodes() > 1 ? ways.per_node() : most_even_width(ways.ranks());
}

/// One node: each job by its own rings, which share the gradients by their bricks.
Pattern rings_of_jobs(const ExchangeWays& ways) {
  Pattern phases(1);
  const int jobs = static_cast<int>(ways.scenario().loader.jobs);
  const int size = ways.per_node() / jobs;
  for (int job = 0; job < jobs && size > 1; ++job)
    send_around(ways, phases[0], rings_of_node(ways, job * size, size), 0,
                ways.gradients() * ring_share(size), 2.0 * (size - 1));
  phases[0].calls = ways.calls(all_reduce, size, 1);
  return phases;
}

/// The part of a tree that one chain of each node serves; mirrored, its nodes count from the last.
void add_tree(const ExchangeWays& ways, SendPhase& phase, const NodeChains& chains,
              std::size_t number, bool mirrored, Bytes part) {
  const double depth = std::bit_width(static_cast<unsigned>(ways.nodes())) - 1;
  const auto node = [&](int i) { return mirrored ? ways.nodes() - 1 - i : i; };
  const auto head = [&](int of) { return rank_on(ways, of, chains.of(of, number), 0); };
  for (int v = 0; v < ways.nodes(); ++v) {
    const Ring& chain = chains.of(node(v), number);
    send_along(ways, phase, node(v), chain, Along::to_head, part);
    send_along(ways, phase, node(v), chain, Along::from_head, part);
    if (v == 0) continue;
    const int child = head(node(v));
    const int parent = head(node((v - 1) / 2));
    phase.add({child, parent, Over::pcie, part, 2 * depth});
    phase.add({parent, child, Over::pcie, part, 2 * depth});
  }
}

/// Rows as long as a node take its rings.
void add_rows(const ExchangeWays& ways, SendPhase& phase, int width, Bytes sent) {
  if (width == 1) return;
  if (width == ways.per_node()) {
    const auto rings = rings_of_node(ways, 0, width);
    for (int node = 0; node < ways.nodes(); ++node)
      send_around(ways, phase, rings, node, sent, width - 1);
    return;
  }
  for (int first = 0; first < ways.ranks(); first += width)
    for (int i = 0; i < width; ++i)
      phase.add({first + i, first + (i + 1) % width, Over::nvlink, sent, width - 1.0});
}

}  // namespace

Pattern ring_pattern(const ExchangeWays& ways) {
  if (ways.nodes() == 1) return rings_of_jobs(ways);
  Pattern phases(1);
  phases[0].calls = ways.calls(all_reduce, ways.ranks(), ways.nodes());
  const NodeChains chains(ways, true);
  const double rounds = 2.0 * (ways.ranks() - 1);
  const Bytes sent =
      ways.gradients() * (ring_share(ways.ranks()) / static_cast<double>(chains.count()));
  phases[0].sends.reserve(chains.count() * static_cast<std::size_t>(ways.ranks()));
  for (std::size_t number = 0; number < chains.count(); ++number)
    for (int node = 0; node < ways.nodes(); ++node) {
      const Ring& chain = chains.of(node, number);
      const int gpus = ways.gpus_of(node);
      const int next_node = (node + 1) % ways.nodes();
      for (int i = 0; i < gpus; ++i) {
        const int to = i + 1 < gpus ? rank_on(ways, node, chain, i + 1)
                                    : rank_on(ways, next_node, chains.of(next_node, number), 0);
        phases[0].add({rank_on(ways, node, chain, i), to, over_hops(chain), sent, rounds});
      }
    }
  return phases;
}

Pattern tree_pattern(const ExchangeWays& ways) {
  Pattern phases(1);
  phases[0].calls = ways.calls(all_reduce, ways.ranks(), ways.nodes());
  const NodeChains chains(ways, false);
  const Bytes part = ways.gradients() / (2.0 * static_cast<double>(chains.count()));
  phases[0].sends.reserve(4 * chains.count() * static_cast<std::size_t>(ways.ranks()));
  for (std::size_t number = 0; number < chains.count(); ++number)
    for (const bool mirrored : {false, true})
      add_tree(ways, phases[0], chains, number, mirrored, part);
  return phases;
}

Pattern hierarchical_pattern(const ExchangeWays& ways) {
  Pattern phases(3);
  if (const int gpus = ways.per_node(); gpus > 1) {
    // A chain passes on all of what it sums; a scatter would, of so much more.
    const double part = static_cast<double>(gpus) / (gpus - 1);
    phases[0].calls = ways.calls(reduce_scatter, gpus, 1, part);
    phases[2].calls = ways.calls(all_gather, gpus, 1, part);
  }
  phases[1].calls = ways.calls(all_reduce, ways.nodes(), ways.nodes());
  const NodeChains chains(ways, false);
  const Bytes part = ways.gradients() / static_cast<double>(chains.count());
  for (std::size_t number = 0; number < chains.count(); ++number)
    for (int node = 0; node < ways.nodes(); ++node) {
      const Ring& chain = chains.of(node, number);
      send_along(ways, phases[0], node, chain, Along::to_head, part);
      if (ways.nodes() > 1)
        phases[1].add({rank_on(ways, node, chain, 0),
                       rank_on(ways, (node + 1) % ways.nodes(), chain, 0), Over::pcie,
                       part * ring_share(ways.nodes()), 2.0 * (ways.nodes() - 1)});
      send_along(ways, phases[2], node, chain, Along::from_head, part);
    }
  return phases;
}

Pattern torus_pattern(const ExchangeWays& ways) {
  Pattern phases(3);
  const int width = torus_width(ways);
  const int height = ways.ranks() / width;
  if (!ways.plan().exchange_included) {
    const Bytes scattered = ways.gradients() * (ring_share(width) / 2);
    for (SendPhase* phase : {&phases[0], &phases[2]}) add_rows(ways, *phase, width, scattered);
  }
  phases[0].calls = ways.calls(reduce_scatter, width, ways.nodes_of(width, 1));
  phases[1].calls = ways.calls(all_reduce, height, ways.nodes_of(height, width), 1.0 / width);
  phases[2].calls = ways.calls(all_gather, width, ways.nodes_of(width, 1));
  const Bytes summed = ways.gradients() * (ring_share(height) / width);
  for (int column = 0; column < width && height > 1; ++column)
    for (int row = 0; row < height; ++row)
      phases[1].add({row * width + column, (row + 1) % height * width + column, Over::nvlink,
                     summed, 2.0 * (height - 1)});
  return phases;
}

}  // namespace gpufeed
