// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/base/index.h"
#include "sim/model/data.h"
#include "sim/model/find_part.h"
#include "sim/topology/nic_choice.h"

namespace gpufeed {

/// The way of one transfer: every resource that it takes at once, and what it waits for first.
struct Route {
  /// In the order of travel; a resource that the bytes cross several times, such as a memory that
  /// is written and read, is there as often.
  std::vector<ResourceIndex> resources;
  Seconds latency;               ///< sum of the links' latencies; reads: of the drive's too
  std::optional<Bandwidth> cap;  ///< the most one transfer attains, where less than its links

  bool operator==(const Route&) const = default;
};
using RouteIndex = Index<Route>;
template <class T>
using ByRoute = Indexed<RouteIndex, T>;
using Routes = ByRoute<Route>;

/// Shortest way (fewest hops; equal ones: the first in the order of parts) through sockets,
/// switches, NICs and networks; never through another GPU or memory, and from a network only to its
/// own store's clients. Two GPUs with a brick between them are one hop apart.
/// \return nothing where the two are not connected
std::optional<Route> shortest_route(const Graph& graph, VertexIndex from, VertexIndex to);

/// The way of reading from a drive or store into `target`, a memory or a GPU. A store is read
/// through the NIC that nic_choice.h says.
/// \return nothing where the two are not connected
std::optional<Route> read_route(const Scenario& scenario, const Graph& graph, PartId source,
                                VertexIndex target, const NicUser& user);

/// The way back: from `source`, a memory or a GPU, onto a drive or store.
std::optional<Route> write_route(const Scenario& scenario, const Graph& graph, VertexIndex source,
                                 PartId onto, const NicUser& user);

/// Half of a way between two nodes: from a GPU or memory out onto the network between nodes, or
/// from there to it.
struct PortRoute {
  Route route;
  std::size_t nic = 0;  ///< position in the system
};

/// To or from `end`, a GPU or memory, through the NIC nearest to GPU `gpu`; of equal ones, through
/// one beside it, in turn. A GPU that does not reach its NIC directly (`path` host) goes through
/// the memory of its socket. \return nothing where no NIC is reached
std::optional<PortRoute> port_route_out(const Scenario& scenario, const Graph& graph,
                                        VertexIndex end, std::size_t gpu, ReadPath path);
std::optional<PortRoute> port_route_in(const Scenario& scenario, const Graph& graph,
                                       VertexIndex end, std::size_t gpu, ReadPath path);

/// `first`, then `second`: what lies on both is taken once, but a memory is written and then read.
std::optional<Route> joined(const Graph& graph, std::optional<Route> first,
                            const std::optional<Route>& second);

/// How often a route takes a resource.
int times_taken(const Route& route, ResourceIndex resource);

/// GPU to GPU: NVLink where a brick or an NVSwitch joins the two (and `nvlink` is true), else PCIe
/// peer-to-peer where both hang on one socket, else, and always without the system's peer_to_peer,
/// by way of a bounce buffer in the memory of the destination's socket: written and read there, and
/// capped at the CPU's staged_copy_efficiency x the narrowest bus or link of the way; all such
/// copies together attain no more of any link. \return nothing where the two are not connected
std::optional<Route> peer_route(const Scenario& scenario, const Graph& graph, std::size_t from_gpu,
                                std::size_t to_gpu, bool nvlink);

/// GPU to GPU over NVLink by way of GPU `via`, which stores the data and sends them on: half the
/// rate of the narrower hop, and both directions together get no more than one hop carries.
/// \return nothing where a hop has no NVLink
std::optional<Route> forwarded_route(const Graph& graph, std::size_t from_gpu, std::size_t to_gpu,
                                     std::size_t via);

}  // namespace gpufeed
