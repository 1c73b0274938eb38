// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/topology/graph.h"

namespace gpufeed {

/// The id of the NIC between a network and `end`, a memory or a GPU, for loader number `loader`,
/// which is that of GPU `loader` where there is one: the nearest to the end; of equal ones, one
/// beside the GPU (same switch, else same socket). Loaders with the same choice take them in turn.
/// \return nothing where no NIC of the network reaches the end
std::optional<std::string> chosen_nic(const System& system, const Graph& graph, VertexIndex network,
                                      VertexIndex end, std::size_t loader);

}  // namespace gpufeed
