// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/index.h"
#include "sim/base/labels/label.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {

struct Scenario;

enum class VertexKind {
  store,
  network,
  nic,
  media,
  drive,
  memory,
  socket,
  pcie_switch,
  gpu,
  nvswitch
};
template <>
struct EnumNames<VertexKind> {
  static constexpr auto names = words_of<VertexKind>({{VertexKind::store, "store"},
                                                      {VertexKind::network, "network"},
                                                      {VertexKind::nic, "nic"},
                                                      {VertexKind::media, "media"},
                                                      {VertexKind::drive, "drive"},
                                                      {VertexKind::memory, "memory"},
                                                      {VertexKind::socket, "socket"},
                                                      {VertexKind::pcie_switch, "switch"},
                                                      {VertexKind::gpu, "gpu"},
                                                      {VertexKind::nvswitch, "nvswitch"}});
};

/// What a resource is part of. `bus` is PCIe, SATA or whatever else a device plugs into.
/// `process` is a thread of a loader through which all its batches pass.
enum class ResourceKind { drive, array, network, bus, socket_link, memory, nvlink, process };
template <>
struct EnumNames<ResourceKind> {
  static constexpr std::array<std::string_view, 8> names{
      "drive", "array", "network", "bus", "socket link", "memory", "nvlink", "process"};
};

/// Which limit of a drive or store is the lowest, as it is asked.
enum class StorageLimit : std::uint8_t {
  bandwidth,
  requests,
  latency,
  non_contiguous_pages,
  front_end,
  file_opens,
  server_drives,
  server_drive_slots,
  server_cards,
  server_card_slots,
  server_memory,
  server_cores,
  server_software
};
template <>
struct EnumNames<StorageLimit> {
  static constexpr auto names = words_of<StorageLimit>(
      {{StorageLimit::bandwidth, "bandwidth"},
       {StorageLimit::requests, "requests"},
       {StorageLimit::latency, "latency"},
       {StorageLimit::non_contiguous_pages, "non-contiguous pages"},
       {StorageLimit::front_end, "front end"},
       {StorageLimit::file_opens, "opens of files"},
       {StorageLimit::server_drives, "drives of its servers"},
       {StorageLimit::server_drive_slots, "PCIe slots of its servers' drives"},
       {StorageLimit::server_cards, "network cards of its servers"},
       {StorageLimit::server_card_slots, "PCIe slots of its servers' cards"},
       {StorageLimit::server_memory, "memory of its servers"},
       {StorageLimit::server_cores, "cores of its servers"},
       {StorageLimit::server_software, "software of its servers"}});
};

/// Of what two values make together: the provenance of the one that is known less well; of equal
/// ones, of the first.
inline const Provenance& weaker(const Provenance& a, const Provenance& b) {
  return a.basis < b.basis ? b : a;
}

/// A part, or what of the kind `kind` lies inside it: the media of a drive or store, the memory of
/// a socket, the network of a store.
struct Vertex {
  Label label;  ///< the part's name; "ssd0 media", "cpu0 memory" for what lies inside a part
  VertexKind kind;
  PartId part{};

  bool operator==(const Vertex&) const = default;
};
using VertexIndex = Index<Vertex>;

/// The nodes that use something, by number.
struct NodeRange {
  int first = 0;
  int count = 1;

  bool operator==(const NodeRange&) const = default;
};

/// What a resource is, whatever the user calls its part.
struct ResourceKey {
  PartId part;
  Role role{};
  std::optional<PartId> toward = {};  ///< of a link

  bool operator==(const ResourceKey&) const = default;
};

struct Resource;
using ResourceIndex = Index<Resource>;
template <class T>
using ByResource = Indexed<ResourceIndex, T>;

/// Something with a capacity that flows share: one direction of a link, a drive, a memory.
struct Resource {
  Label label;  ///< in the user's terms: "ssd0", "plx0 -> cpu0", "cpu0 memory"
  ResourceKind kind;
  Bandwidth capacity;
  Provenance provenance;
  ResourceKey key = {};                    ///< unique on a node
  std::optional<StorageLimit> limit = {};  ///< which of a drive's or store's sets it
  bool copy_of_first = false;              ///< what a further node has as the first has it
  NodeRange nodes = {};                    ///< of a cluster: those that use it
  /// Of several nodes: what stands at its place for the first of them.
  std::optional<ResourceIndex> of_first = {};
  /// Where few nodes stand for all: as so many of what they load it with it is loaded.
  double stands_for = 1;

  bool operator==(const Resource&) const = default;
};

/// One more resource that every route between two kinds of ends takes, beside those of its edges.
struct PassLimit {
  enum class Of {
    both_ways,         ///< copies between memory and a GPU, in either direction
    from_devices,      ///< what drives and network cards write into a GPU through a socket
    remote_reads,      ///< what leaves a memory for a device of another socket
    remote_writes,     ///< what enters a memory from a device of another socket
    remote_core_reads  ///< what leaves a memory for cores of another socket
  };
  Of of;
  VertexIndex vertex;  ///< the GPU, or the memory
  ResourceIndex resource;

  bool operator==(const PassLimit&) const = default;
};

/// What the copies between GPUs that pass a host's memory attain together of a link.
struct StagedLimit {
  ResourceIndex link;
  ResourceIndex resource;

  bool operator==(const StagedLimit&) const = default;
};

/// One way to go from a vertex to another; takes capacity of one resource. The two directions of a
/// memory share its resource, and so do the edges of a NIC's port toward several stores; every
/// other direction has its own.
struct Edge {
  VertexIndex from;
  VertexIndex to;
  std::optional<ResourceIndex> resource;  ///< none: nothing limits it
  Seconds latency;

  bool operator==(const Edge&) const = default;
};

/// A machine and the stores it reaches as a directed graph.
struct Graph {
  Indexed<VertexIndex, Vertex> vertices;
  std::vector<Edge> edges;
  ByResource<Resource> resources;
  std::vector<PassLimit> pass_limits;
  std::vector<StagedLimit> staged_limits;

  /// The vertex of this kind of a part, if there is one.
  std::optional<VertexIndex> find(PartId part, VertexKind kind) const;
  /// That of a part which is there: a socket, switch, GPU, NIC, drive, NVSwitch or store.
  VertexIndex at(PartId part) const;
  /// Vertex of the memory of a socket.
  VertexIndex memory_of(PartId socket) const;
  /// Vertex at which the data of a drive or store lie.
  VertexIndex media_of(PartId source) const;
  /// Vertex of GPU `number` of the system, counted from 0, which has as many.
  VertexIndex gpu(std::size_t number) const { return at({PartKind::gpu, number}); }

  /// What the user calls these parts.
  std::vector<Label> labels_of(const std::vector<PartId>& parts) const;

  std::optional<ResourceIndex> find_resource(const ResourceKey& key) const;
  /// Resource of the memory of a socket, which both directions share.
  ResourceIndex memory_resource(PartId socket) const;
  /// Resource of reading from a drive or store, and that of writing to it, which is limited.
  ResourceIndex read_resource(PartId source) const;
  ResourceIndex write_resource(PartId source) const;

  const Vertex& vertex(VertexIndex index) const { return vertices[index]; }
  const Resource& resource(ResourceIndex index) const { return resources[index]; }

  bool operator==(const Graph&) const = default;
};

/// The network that joins the nodes, where there are several.
inline constexpr PartId kBetweenNodes{PartKind::fabric, 0};

/// StorageAccess::run of one sequential stream.
inline constexpr Bytes kInARow{std::numeric_limits<double>::infinity()};

/// How the storage is asked, which decides what it attains.
struct StorageAccess {
  Bytes request;  ///< of one request
  /// Requests that each drive always has under way; infinite where Little's law is paid elsewhere.
  double outstanding = std::numeric_limits<double>::infinity();
  double read_share = 1;                      ///< of the bytes; the rest are writes
  std::optional<Bytes> write_request{};       ///< where writes are asked for otherwise than reads
  std::optional<double> write_outstanding{};  ///< likewise
  bool whole_files = false;                   ///< many readers of files of mixed sizes
  /// Of memory, that each 4 KiB of a read go to, but the first of each request.
  double pieces_per_page = 0;
  /// That a disk reads or writes in a row before its head moves, if more than a request. What
  /// lies in a row needs no queue, since a disk reads ahead.
  Bytes run{};
  std::optional<Bytes> write_run{};  ///< likewise of writes; else a request, unless all is in a row
  Bytes bytes_per_open{};    ///< that are read of a file for each time it is opened; 0: no opening
  double open_requests = 0;  ///< more than those for its data, each time
  /// What readers of a store, who do nothing else, reach if none waits for another.
  Bandwidth readers_alone{std::numeric_limits<double>::infinity()};
};

/// Builds the graph of the scenario's system and stores.
/// - socket <-> "ID memory": one resource "ID memory" for both directions, the socket's or
///   else the CPU's peak x memory_efficiency.
/// - socket <-> socket: one resource per direction, link rate x count x efficiency. Connections
///   of the same two ends add up.
/// - device <-> what it hangs on: one resource per direction, "ssd0 -> plx0" and "plx0 -> ssd0":
///   the fewer lanes and the slower link of product and slot; to_device toward the device. A
///   drive's link loses to packets alone (Link::for_drives); one without a link has no resource.
/// - drive: "ID media" -> drive, resource "ID", and drive -> "ID media", resource "ID write": what
///   its read and write laws attain (drive_law.h). Reads and writes together share the drive's
///   time: of a share x of reads, 1 / (x/R + (1-x)/W) in all.
/// - GPU <-> GPU over NVLink: as between sockets; GPU <-> NVSwitch: one resource per direction. In
///   transfers it has the rate of copies, in all else that of rings: the exchange's ring_efficiency
///   x that of copies, or the link's. Without peer_to_peer there are none.
/// - store: "NAME media" -> store, resource "NAME": its limits (bandwidth, requests, files opened)
///   joined as in the drive law, less what others use; bandwidth and requests grow with the blades
///   up to the front end. store -> "NAME network", resource "NAME client": what this machine's
///   client carries, where the protocol limits it (store_client.h). -> each NIC of `via`, resource
///   "ID port", at the NIC's payload bandwidth, and back, resource "ID port out".
/// - of several nodes: kBetweenNodes <-> each NIC, resources "ID port" and "ID port out". The graph
///   shows one node; all are alike.
/// - pass limits: "ID both ways" of each GPU whose link is not fully duplex, "ID from devices" of
///   each whose CPU has a peer_to_peer_efficiency, of its slot's raw rate, "ID memory remote
///   reads", "... remote writes" and "... remote core reads" of each socket whose CPU limits them.
/// - staged limits: "a -> b staged" of each link of GPUs, switches and sockets, its rate x the
/// CPU's
///   staged_copy_efficiency, where two GPUs may have no other way than through host memory.
/// The latency of a media edge toward its drive or store is the product's read_latency (of a disk:
/// what its law leaves beside the seek, which takes its time from all) and the protocol's; an
/// array's includes the network, so network edges have none. Writing has none known. A resource's
/// provenance is that of the key that sets its capacity; of several that are multiplied, the
/// weakest. The scenario must have passed the loader's checks.
Graph build_graph(const Scenario& scenario, const StorageAccess& access);
/// The same, where drives are read otherwise than stores.
Graph build_graph(const Scenario& scenario, const StorageAccess& of_drives,
                  const StorageAccess& of_stores);

}  // namespace gpufeed
