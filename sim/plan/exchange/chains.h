// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// The rings of one node over `gpus` ranks from `first` on, counted in the node, as the scenario
/// wants them; one GPU has none.
std::vector<Ring> rings_of_node(const ExchangeWays& ways, int first, int gpus);

/// Ways through all GPUs of each node, one for each network card in use, where it begins: turns of
/// the rings. Few take the same ring; what matters more where they go `on` to the next node: few
/// leave by the same card. Nodes with as many GPUs have the same.
class NodeChains {
 public:
  NodeChains(const ExchangeWays& ways, bool on);

  /// Of every node; a node with fewer cards in use than another takes some twice.
  std::size_t count() const { return count_; }
  const Ring& of(int node, std::size_t number) const {
    const auto& chains = by_gpus_.at(ways_.gpus_of(node));
    return chains[number % chains.size()];
  }

 private:
  const ExchangeWays& ways_;
  std::map<int, std::vector<Ring>> by_gpus_;
  std::size_t count_ = 0;
};

/// What its hops take within a node.
Over over_hops(const Ring& ring);

/// The rank at a place of a node's chain.
int rank_on(const ExchangeWays& ways, int node, const Ring& chain, int place);

/// Every GPU of the rings sends `sent` to its next, in parts by their bricks.
void send_around(const ExchangeWays& ways, SendPhase& phase, const std::vector<Ring>& rings,
                 int node, Bytes sent, double rounds);

enum class Along { to_head, from_head };

/// `size` along every hop of a node's chain.
void send_along(const ExchangeWays& ways, SendPhase& phase, int node, const Ring& chain,
                Along direction, Bytes size);

}  // namespace gpufeed
