// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/topology/routes.h"

namespace gpufeed {

/// Whether a network card leads to the other nodes.
bool leads_to_nodes(const Graph& graph, PartId card);

/// From GPU `gpu` onto the network between nodes (`out`), or in from there, as `port_route_out` and
/// `port_route_in` lead it, but by this card. \return nothing where the card is not reached
std::optional<PortRoute> port_route_by(const Scenario& scenario, const Graph& graph, PartId card,
                                       std::size_t gpu, bool out);

}  // namespace gpufeed
