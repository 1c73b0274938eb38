// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/scenario.h"

namespace gpufeed {

enum class NodeKind { store, network, nic, media, drive, memory, socket, pcie_switch, gpu };
template <>
struct EnumNames<NodeKind> {
  static constexpr std::array<std::string_view, 9> names{
      "store", "network", "nic", "media", "drive", "memory", "socket", "switch", "gpu"};
};

/// What a resource is part of; `bus` is PCIe, SATA or whatever else a device plugs into.
enum class ResourceKind { drive, array, network, bus, socket_link, memory, nvlink };
template <>
struct EnumNames<ResourceKind> {
  static constexpr std::array<std::string_view, 7> names{"drive",       "array",  "network", "bus",
                                                         "socket link", "memory", "nvlink"};
};

struct Node {
  std::string id;  ///< the part's id; "ssd0 media", "cpu0 memory" for what lies inside a part
  NodeKind kind;
};

/// Something with a capacity that flows share: one direction of a link, a drive, a memory.
struct Resource {
  std::string id;  ///< unique, in the user's terms: "ssd0", "plx0 -> cpu0", "cpu0 memory"
  ResourceKind kind;
  Bandwidth capacity;
  Provenance provenance;
};

/// The resource of an edge that limits nothing.
inline constexpr int kUnlimited = -1;

/// One way to go from a node to another; takes capacity of one resource. The two directions of a
/// memory share its resource, and so do the edges of a NIC's port toward several stores; every
/// other direction has its own.
struct Edge {
  int from;
  int to;
  int resource;  ///< or kUnlimited
  Seconds latency;
};

/// A machine and the stores it reaches as a directed graph.
struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Resource> resources;

  /// Index of the node called `id`; -1 where there is none.
  int find(std::string_view id) const;
  /// Node of the memory of socket `socket_id`.
  int memory_of(std::string_view socket_id) const;
  /// Node at which the data of a drive or store lie.
  int media_of(std::string_view source_id) const;
  /// Node of GPU `number` of the system, counted from 0.
  int gpu(int number) const;

  const Node& node(int index) const { return nodes.at(static_cast<std::size_t>(index)); }
  const Resource& resource(int index) const {
    return resources.at(static_cast<std::size_t>(index));
  }
};

/// Builds the graph of the scenario's system and stores.
/// - socket <-> "ID memory": one resource "ID memory" for both directions, the socket's or
///   else the CPU's peak x memory_efficiency.
/// - socket <-> socket: one resource per direction, link rate x count x efficiency. Connections
///   of the same two ends add up.
/// - device <-> what it hangs on: one resource per direction, "ssd0 -> plx0" and "plx0 -> ssd0":
///   the fewer lanes and the slower link of product and slot; to_device toward the device.
/// - drive: "ID media" -> drive, resource "ID", at the read rate it attains on requests of
///   `request` bytes: min(read_bandwidth, read_rate x request); drive -> "ID media", resource
///   "ID write", at write_bandwidth.
/// - GPU <-> GPU over NVLink: as between sockets.
/// - store: "NAME media" -> store, resource "NAME", at min(read_bandwidth, read_rate x request);
///   store -> "NAME network" without limit of its own; -> each NIC of `via`, resource "ID port", at
///   the NIC's payload bandwidth, and back, resource "ID port out".
/// The latency of a media edge toward its drive or store is the product's read_latency; an array's
/// includes the network, so network edges have none. Writing has none known.
/// A resource's provenance is that of the key that sets its capacity; of several that are
/// multiplied, the weakest.
/// The scenario must have passed the loader's checks.
/// \param request  bytes of one storage request
Graph build_graph(const Scenario& scenario, Bytes request);

/// The socket that a device hangs on, directly or through switches.
std::string socket_of(const System& system, const Attachment& device);

}  // namespace gpufeed
