// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

struct Capacity {
  Bandwidth rate;
  Provenance provenance;
};

const Provenance& weaker(const Provenance& a, const Provenance& b) {
  return a.basis < b.basis ? b : a;
}

Provenance weaker_of(const Entry& entry, std::string_view key, std::string_view other) {
  return weaker(entry.provenance_of(key), entry.provenance_of(other));
}

Capacity lesser(const Capacity& a, const Capacity& b) { return b.rate < a.rate ? b : a; }

Capacity toward_device(const Link& link, std::int64_t lanes) {
  return {link.to_device(lanes), weaker_of(link, "raw_bandwidth", "efficiency")};
}

Capacity from_device(const Link& link, std::int64_t lanes) {
  const auto efficiency = link.efficiency_from_device ? "efficiency_from_device" : "efficiency";
  return {link.from_device(lanes), weaker_of(link, "raw_bandwidth", efficiency)};
}

/// Copies alone run on copy engines; in all other work kernels move what GPUs send one another.
Capacity between_gpus(const Scenario& scenario, const Link& link, std::int64_t lanes) {
  Capacity copies = toward_device(link, lanes);
  if (scenario.workload.is<kind::Transfers>()) return copies;
  if (const auto& share = scenario.exchange.ring_efficiency)
    return {copies.rate * share->value, copies.provenance};
  if (!link.ring_efficiency) return copies;
  return {link.in_rings(lanes), weaker_of(link, "raw_bandwidth", "ring_efficiency")};
}

/// The provenance of the roof that is the lowest.
Provenance lowest_roof(const Drive& drive, const DriveLaw& law, const StorageAccess& access,
                       std::string_view bandwidth, std::string_view rate) {
  const Bandwidth by_rate = law.request_rate * std::min(access.request, law.largest_request);
  return drive.provenance_of(by_rate < law.bandwidth ? rate : bandwidth);
}

/// A disk moves its head once in a run of requests, and reads ahead of them meanwhile, however
/// little it is asked for at once.
DriveLaw with_runs(DriveLaw law, const Drive& drive, const StorageAccess& access) {
  if (drive.medium != Medium::disk || access.run < access.request) return law;
  law.request_rate =
      law.request_rate * (access.run / std::min(access.request, law.largest_request));
  law.latency = law.latency * (access.request / access.run);
  law.request_bandwidth = {std::numeric_limits<double>::infinity()};
  return law;
}

/// The same access as its writes ask. What readers of files find in a row is none of theirs.
StorageAccess writes_of(StorageAccess access) {
  if (access.run < kInARow) access.run = {};
  access.request = access.write_request.value_or(access.request);
  access.outstanding = access.write_outstanding.value_or(access.outstanding);
  return access;
}

struct ReadWrite {
  Capacity read, write;
};

ReadWrite drive_capacities(const Drive& drive, const StorageAccess& access) {
  DriveLaw reading = with_runs(drive.read_law(), drive, access);
  const StorageAccess write = writes_of(access);
  const DriveLaw writing = with_runs(drive.write_law(), drive, write);
  if (access.whole_files) reading.bandwidth = reading.bandwidth * drive.file_efficiency;
  ReadWrite both{{attained_bandwidth(reading, access.request, access.outstanding),
                  lowest_roof(drive, reading, access, "read_bandwidth", "read_rate")},
                 {attained_bandwidth(writing, write.request, write.outstanding),
                  lowest_roof(drive, writing, write, "write_bandwidth", "write_rate")}};
  const double x = access.read_share;
  if (x <= 0 || x >= 1) return both;
  const double together = 1 / (x / both.read.rate.value + (1 - x) / both.write.rate.value);
  both.read.rate = {x * together};
  both.write.rate = {(1 - x) * together};
  return both;
}

Capacity store_capacity(const Store& store, const StorageAccess& access) {
  const Array& array = *store.model;
  const double blades = array.blades && store.blades ? static_cast<double>(*store.blades) /
                                                           static_cast<double>(*array.blades)
                                                     : 1.0;
  std::string_view lowest = "read_bandwidth";
  Bandwidth bandwidth = array.read_bandwidth * blades;
  if (array.front_end_bandwidth && *array.front_end_bandwidth < bandwidth) {
    bandwidth = *array.front_end_bandwidth;
    lowest = "front_end_bandwidth";
  }
  Bytes request = access.request;
  if (store.protocol && (*store.protocol)->largest_request)
    request = std::min(request, *(*store.protocol)->largest_request);
  Bandwidth by_requests = array.read_rate * blades * request;
  std::string_view requests = "read_rate";
  if (array.metadata_rate && access.bytes_per_open.value > 0) {
    const Bandwidth by_opens = *array.metadata_rate * access.bytes_per_open;
    if (by_opens < by_requests) requests = "metadata_rate";
    by_requests = {by_opens.value * by_requests.value / (by_opens.value + by_requests.value)};
  }
  if (by_requests < bandwidth) lowest = requests;
  const double low = std::min(by_requests.value, bandwidth.value);
  const double high = std::max(by_requests.value, bandwidth.value);
  const double joined = low * std::pow(1 + std::pow(low / high, kManyAtOnce), -1 / kManyAtOnce);
  return {{joined * (1 - store.other_load.value)}, array.provenance_of(lowest)};
}

template <class Part>
const Part* part_of(const std::vector<Part>& parts, std::string_view id) {
  const auto it = std::ranges::find(parts, id, &Part::id);
  return it == parts.end() ? nullptr : &*it;
}

class Builder {
 public:
  Graph build(const Scenario& scenario, const StorageAccess& access) {
    const System& system = *scenario.system;
    add_nodes(system);
    for (const auto& socket : system.sockets) add_memory(socket);
    for (const auto& link : system.socket_links)
      connect(link, ResourceKind::socket_link, toward_device(*link.link, link.count));
    for (const auto& part : system.switches) attach(part);
    for (const auto& gpu : system.gpus) attach(gpu);
    if (system.peer_to_peer) add_nvlinks(scenario);
    for (const auto& nic : system.nics) attach(nic);
    for (const auto& drive : system.drives) add_drive(drive, access);
    for (const auto& [name, store] : scenario.store) add_store(system, name, store, access);
    if (scenario.nodes > 1) join_nodes(system);
    for (const auto& gpu : system.gpus) limit_both_ways(gpu);
    if (system.sockets.size() > 1)
      for (const auto& socket : system.sockets) limit_remote(socket);
    return std::move(graph_);
  }

 private:
  void add_node(const std::string& id, NodeKind kind) { graph_.nodes.push_back({id, kind}); }

  /// All parts before any edge: a part may hang on one that is listed after it.
  void add_nodes(const System& system) {
    for (const auto& socket : system.sockets) {
      add_node(socket.id, NodeKind::socket);
      add_node(socket.id + " memory", NodeKind::memory);
    }
    for (const auto& part : system.switches) add_node(part.id, NodeKind::pcie_switch);
    for (const auto& gpu : system.gpus) add_node(gpu.id, NodeKind::gpu);
    for (const auto& nic : system.nics) add_node(nic.id, NodeKind::nic);
    for (const auto& drive : system.drives) {
      add_node(drive.id + " media", NodeKind::media);
      add_node(drive.id, NodeKind::drive);
    }
    for (const auto& part : system.nvswitches) add_node(part.id, NodeKind::nvswitch);
  }

  int find_resource(std::string_view id) const {
    const auto it = std::ranges::find(graph_.resources, id, &Resource::id);
    return it == graph_.resources.end() ? -1 : static_cast<int>(it - graph_.resources.begin());
  }

  int add_resource(const std::string& id, ResourceKind kind, const Capacity& capacity) {
    GPUFEED_ASSERT(find_resource(id) < 0, "resource names are unique");
    graph_.resources.push_back({id, kind, capacity.rate, capacity.provenance});
    return static_cast<int>(graph_.resources.size()) - 1;
  }

  void add_edge(std::string_view from, std::string_view to, int resource, Seconds latency) {
    const int tail = graph_.find(from);
    const int head = graph_.find(to);
    GPUFEED_ASSERT(tail >= 0 && head >= 0, "an edge joins two parts of the system");
    graph_.edges.push_back({tail, head, resource, latency});
  }

  void add_memory(const Socket& socket) {
    const Cpu& cpu = *socket.model;
    const auto id = socket.id + " memory";
    const int resource = add_resource(
        id, ResourceKind::memory,
        {socket.memory_bandwidth.value_or(cpu.memory_bandwidth) * cpu.memory_efficiency,
         weaker_of(cpu, "memory_bandwidth", "memory_efficiency")});
    add_edge(socket.id, id, resource, {});
    add_edge(id, socket.id, resource, {});
  }

  void add_nvlinks(const Scenario& scenario) {
    for (const auto& link : scenario.system->nvlinks)
      connect(link, ResourceKind::nvlink, between_gpus(scenario, *link.link, link.count));
    for (const auto& part : scenario.system->nvswitches)
      add_nvswitch(part, between_gpus(scenario, *part.link, part.count));
  }

  void connect(const Connection& link, ResourceKind kind, const Capacity& capacity) {
    GPUFEED_ASSERT(link.between.size() == 2, "a connection has two ends");
    const auto one_way = [&](const std::string& from, const std::string& to) {
      connect_one_way(from, to, kind, capacity, link.link->latency);
    };
    one_way(link.between.front().id, link.between.back().id);
    one_way(link.between.back().id, link.between.front().id);
  }

  void connect_one_way(const std::string& from, const std::string& to, ResourceKind kind,
                       const Capacity& capacity, Seconds latency) {
    const auto id = from + " -> " + to;
    if (const int same = find_resource(id); same >= 0) {
      auto& resource = graph_.resources[static_cast<std::size_t>(same)];
      resource.capacity += capacity.rate;
      resource.provenance = weaker(Provenance(resource.provenance), capacity.provenance);
      return;
    }
    add_edge(from, to, add_resource(id, kind, capacity), latency);
  }

  template <class Product>
  void attach(const Device<Product>& device) {
    const Plug& plug = *device.model;
    const auto used = [](const Link& link) {
      return std::is_same_v<Product, Drive> ? link.for_drives() : link;
    };
    const Link own = used(*plug.link);
    const Link slot = device.link ? used(**device.link) : own;
    const auto lanes = std::min(plug.lanes, device.lanes.value_or(plug.lanes));
    const auto latency = std::max(own.latency, slot.latency);
    const auto& at = device.at.id;
    const auto out = lesser(from_device(own, lanes), from_device(slot, lanes));
    const auto in = lesser(toward_device(own, lanes), toward_device(slot, lanes));
    add_edge(device.id, at, add_resource(device.id + " -> " + at, ResourceKind::bus, out), latency);
    add_edge(at, device.id, add_resource(at + " -> " + device.id, ResourceKind::bus, in), latency);
  }

  void add_drive(const Device<Drive>& device, const StorageAccess& access) {
    const auto capacity = drive_capacities(*device.model, access);
    const auto media = device.id + " media";
    const int read = add_resource(device.id, ResourceKind::drive, capacity.read);
    const int write = add_resource(device.id + " write", ResourceKind::drive, capacity.write);
    add_edge(media, device.id, read, device.model->read_law().latency);
    add_edge(device.id, media, write, {});
    attach(device);
  }

  void add_nvswitch(const NvSwitch& part, const Capacity& capacity) {
    for (const auto& gpu : part.gpus) {
      const auto way = [&](const std::string& from, const std::string& to) {
        add_edge(from, to,
                 add_resource(fmt::format("{} -> {}", from, to), ResourceKind::nvlink, capacity),
                 part.link->latency / 2);
      };
      way(gpu.id, part.id);
      way(part.id, gpu.id);
    }
  }

  void add_store(const System& system, const std::string& name, const Store& store,
                 const StorageAccess& access) {
    const Array& array = *store.model;
    const auto media = name + " media";
    const auto network = name + " network";
    add_node(media, NodeKind::media);
    add_node(name, NodeKind::store);
    add_node(network, NodeKind::network);
    const int read = add_resource(name, ResourceKind::array, store_capacity(store, access));
    const Seconds protocol = store.protocol ? (*store.protocol)->request_latency : Seconds{};
    add_edge(media, name, read, array.read_latency + protocol);
    int client = kUnlimited;
    if (store.protocol && (*store.protocol)->connection_bandwidth) {
      const Protocol& spoken = **store.protocol;
      const auto connections = static_cast<double>(store.connections.value_or(spoken.connections));
      client = add_resource(name + " client", ResourceKind::network,
                            {*spoken.connection_bandwidth * connections,
                             spoken.provenance_of("connection_bandwidth")});
    }
    add_edge(name, network, client, {});
    if (array.write_bandwidth)
      add_edge(name, media,
               add_resource(name + " write", ResourceKind::array,
                            {*array.write_bandwidth * (1 - store.other_load.value),
                             array.provenance_of("write_bandwidth")}),
               {});
    else
      add_edge(name, media, kUnlimited, {});
    add_edge(network, name, client, {});
    for (const auto& nic : system.nics) {
      const bool reaches = store.via.empty() ||
                           std::ranges::find(store.via, nic.id, &PartRef::id) != store.via.end();
      if (!reaches) continue;
      add_edge(network, nic.id, port_of(nic, " port"), {});
      add_edge(nic.id, network, port_of(nic, " port out"), {});
    }
  }

  void join_nodes(const System& system) {
    add_node(std::string(kBetweenNodes), NodeKind::network);
    for (const auto& nic : system.nics) {
      add_edge(kBetweenNodes, nic.id, port_of(nic, " port"), {});
      add_edge(nic.id, kBetweenNodes, port_of(nic, " port out"), {});
    }
  }

  /// The narrower of slot and product sets the rate of one direction; the link's kind says how much
  /// more both directions attain together.
  void limit_both_ways(const Device<Gpu>& gpu) {
    const Plug& plug = *gpu.model;
    const Link& slot = gpu.link ? **gpu.link : *plug.link;
    const auto lanes = std::min(plug.lanes, gpu.lanes.value_or(plug.lanes));
    const bool own_is_narrower = plug.link->to_device(lanes) < slot.to_device(lanes);
    const Link& link = own_is_narrower ? *plug.link : slot;
    if (!link.duplex) return;
    add_pass_limit(
        PassLimit::Of::both_ways, gpu.id, gpu.id + " both ways", ResourceKind::bus,
        {link.to_device(lanes) * link.duplex->value, weaker_of(link, "efficiency", "duplex")});
  }

  void limit_remote(const Socket& socket) {
    const Cpu& cpu = *socket.model;
    const auto memory = socket.id + " memory";
    const auto limit = [&](PassLimit::Of of, const std::optional<Bandwidth>& most,
                           std::string_view key, std::string_view what) {
      if (most)
        add_pass_limit(of, memory, fmt::format("{} {}", memory, what), ResourceKind::socket_link,
                       {*most, cpu.provenance_of(key)});
    };
    limit(PassLimit::Of::remote_reads, cpu.remote_dma_read, "remote_dma_read", "remote reads");
    limit(PassLimit::Of::remote_core_reads, cpu.remote_core_read, "remote_core_read",
          "remote core reads");
    limit(PassLimit::Of::remote_writes, cpu.remote_dma_write, "remote_dma_write", "remote writes");
  }

  void add_pass_limit(PassLimit::Of of, const std::string& node, const std::string& id,
                      ResourceKind kind, const Capacity& capacity) {
    graph_.pass_limits.push_back({of, graph_.find(node), add_resource(id, kind, capacity)});
  }

  int port_of(const Device<Nic>& nic, std::string_view direction) {
    const auto id = nic.id + std::string(direction);
    if (const int known = find_resource(id); known >= 0) return known;
    return add_resource(
        id, ResourceKind::network,
        {nic.model->payload_bandwidth(), weaker_of(*nic.model, "port_bandwidth", "efficiency")});
  }

  Graph graph_;
};

}  // namespace

int Graph::find(std::string_view id) const {
  const auto it = std::ranges::find(nodes, id, &Node::id);
  return it == nodes.end() ? -1 : static_cast<int>(it - nodes.begin());
}

int Graph::memory_of(std::string_view socket_id) const {
  return find(std::string(socket_id) + " memory");
}

int Graph::media_of(std::string_view source_id) const {
  return find(std::string(source_id) + " media");
}

int Graph::gpu(int number) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].kind == NodeKind::gpu && number-- == 0) return static_cast<int>(i);
  return -1;
}

Graph build_graph(const Scenario& scenario, const StorageAccess& access) {
  return Builder().build(scenario, access);
}

std::string socket_of(const System& system, const Attachment& device) {
  const Attachment* part = &device;
  for (std::size_t climbed = 0; climbed <= system.switches.size(); ++climbed) {
    if (part_of(system.sockets, part->at.id)) return part->at.id;
    part = part_of(system.switches, part->at.id);
    GPUFEED_ASSERT(part, "a device hangs on a socket or a switch");
  }
  GPUFEED_ASSERT(false, "switches hang on sockets, not on each other in a circle");
  return {};
}

}  // namespace gpufeed
