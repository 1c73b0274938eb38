// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// The rings of one node over `gpus` ranks from `first` on, counted in the node, as the scenario
/// wants them; one GPU has none.
std::vector<Ring> rings_of_node(const ExchangeWays& ways, int first, int gpus);

/// Ways through all GPUs of a node, one for each network card in use, where it begins: turns of the
/// rings. Few take the same ring; what matters more where they go `on` to the next node: few leave
/// by the same card.
std::vector<Ring> chains_of_node(const ExchangeWays& ways, bool on);

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
