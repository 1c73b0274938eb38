// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/topology/graph.h"

namespace gpufeed {

/// The way of one transfer: every resource that it takes at once, and what it waits for first.
struct Route {
  std::vector<int> resources;    ///< in the order of travel; each once
  Seconds latency;               ///< sum of the links' latencies; reads: of the drive's too
  std::optional<Bandwidth> cap;  ///< the most one transfer attains, where less than its links
};

/// Shortest way (fewest hops; equal ones: the first in the order of parts) through sockets,
/// switches, NICs and networks; never through another GPU or memory, and from a network only to its
/// own store's clients. Two GPUs with a brick between them are one hop apart.
/// \return nothing where the two are not connected
std::optional<Route> shortest_route(const Graph& graph, int from, int to);

/// The way of reading from a drive or store into the memory of `socket` for GPU number `gpu` of
/// the scenario. A store is read through the NIC nearest to that memory; of equal ones, through one
/// beside the GPU (same switch, else same socket). GPUs with the same choice take them in turn.
/// \return nothing where the two are not connected
std::optional<Route> read_route(const Scenario& scenario, const Graph& graph,
                                std::string_view source, std::string_view socket, int gpu);

/// GPU to GPU: NVLink where a brick joins the two (and `nvlink` is true), else PCIe peer-to-peer
/// where both hang on one socket, else staged through the memory of the destination's socket:
/// capped at the CPU's staged_copy_efficiency x the narrowest resource of the way.
///
/// \return nothing where the two are not connected
std::optional<Route> peer_route(const Scenario& scenario, const Graph& graph, int from_gpu,
                                int to_gpu, bool nvlink);

}  // namespace gpufeed
