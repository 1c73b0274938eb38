// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

/// Whether two GPUs may have no other way to each other than through the memory of a host.
bool stages_copies(const System& system) {
  if (system.gpus.size() < 2) return false;
  const std::string first = socket_of(system, system.gpus.front());
  return !system.peer_to_peer || std::ranges::any_of(system.gpus, [&](const auto& gpu) {
    return socket_of(system, gpu) != first;
  });
}

class Builder {
 public:
  Graph build(const Scenario& scenario, const StorageAccess& access) {
    const System& system = *scenario.system;
    add_vertices(system);
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
    if (stages_copies(system)) limit_staged(system);
    return std::move(graph_);
  }

 private:
  void add_vertex(const std::string& id, VertexKind kind) { graph_.vertices.add({id, kind}); }

  /// All parts before any edge: a part may hang on one that is listed after it.
  void add_vertices(const System& system) {
    for (const auto& socket : system.sockets) {
      add_vertex(socket.id, VertexKind::socket);
      add_vertex(socket.id + " memory", VertexKind::memory);
    }
    for (const auto& part : system.switches) add_vertex(part.id, VertexKind::pcie_switch);
    for (const auto& gpu : system.gpus) add_vertex(gpu.id, VertexKind::gpu);
    for (const auto& nic : system.nics) add_vertex(nic.id, VertexKind::nic);
    for (const auto& drive : system.drives) {
      add_vertex(drive.id + " media", VertexKind::media);
      add_vertex(drive.id, VertexKind::drive);
    }
    for (const auto& part : system.nvswitches) add_vertex(part.id, VertexKind::nvswitch);
  }

  ResourceIndex add_resource(const std::string& id, ResourceKind kind, const Capacity& capacity) {
    GPUFEED_ASSERT(!graph_.find_resource(id), "resource names are unique");
    return graph_.resources.add({id, kind, capacity.rate, capacity.provenance, capacity.roof});
  }

  void add_edge(std::string_view from, std::string_view to, std::optional<ResourceIndex> resource,
                Seconds latency) {
    graph_.edges.push_back({graph_.at(from), graph_.at(to), resource, latency});
  }

  void add_memory(const Socket& socket) {
    const Cpu& cpu = *socket.model;
    const auto id = socket.id + " memory";
    const ResourceIndex resource = add_resource(
        id, ResourceKind::memory,
        {socket.memory_bandwidth.value_or(cpu.memory_bandwidth) * cpu.memory_efficiency,
         socket.memory_bandwidth ? cpu.provenance_of("memory_efficiency")
                                 : weaker_of(cpu, "memory_bandwidth", "memory_efficiency")});
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
    if (const auto same = graph_.find_resource(id)) {
      auto& resource = graph_.resources[*same];
      resource.capacity += capacity.rate;
      resource.provenance = weaker(Provenance(resource.provenance), capacity.provenance);
      return;
    }
    add_edge(from, to, add_resource(id, kind, capacity), latency);
  }

  /// A drive that plugs into nothing: a virtual one.
  void attach_unlimited(const Device<Drive>& device) {
    add_edge(device.id, device.at.id, {}, {});
    add_edge(device.at.id, device.id, {}, {});
  }

  template <class Product>
  void attach(const Device<Product>& device) {
    const Plug& plug = *device.model;
    if constexpr (std::is_same_v<Product, Drive>)
      if (!plug.link && !device.link) return attach_unlimited(device);
    const auto used = [](const Link& link) {
      return std::is_same_v<Product, Drive> ? link.for_drives() : link;
    };
    const Link own = used(plug.link ? *plug.link : **device.link);
    const Link slot = device.link ? used(**device.link) : own;
    const auto given = device.lanes.value_or(plug.lanes);
    const auto lanes = plug.link ? std::min(plug.lanes, given) : given;
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
    const ResourceIndex read = add_resource(device.id, ResourceKind::drive, capacity.read);
    const ResourceIndex write =
        add_resource(device.id + " write", ResourceKind::drive, capacity.write);
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
    add_vertex(media, VertexKind::media);
    add_vertex(name, VertexKind::store);
    add_vertex(network, VertexKind::network);
    const ResourceIndex read =
        add_resource(name, ResourceKind::array, store_capacity(store, access));
    const Seconds protocol = store.protocol ? (*store.protocol)->request_latency : Seconds{};
    add_edge(media, name, read, array.read_latency + protocol);
    std::optional<ResourceIndex> client;
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
               add_resource(name + " write", ResourceKind::array, store_write_capacity(store)), {});
    else
      add_edge(name, media, {}, {});
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
    add_vertex(std::string(kBetweenNodes), VertexKind::network);
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

  void add_pass_limit(PassLimit::Of of, const std::string& vertex, const std::string& id,
                      ResourceKind kind, const Capacity& capacity) {
    graph_.pass_limits.push_back({of, graph_.at(vertex), add_resource(id, kind, capacity)});
  }

  void limit_staged(const System& system) {
    const auto limit = [&](const std::string& from, const std::string& to, const Cpu& cpu) {
      const auto link = *graph_.find_resource(from + " -> " + to);
      if (cpu.staged_copy_efficiency.value == 1) return;
      const Resource of = graph_.resource(link);
      const Provenance efficiency = cpu.provenance_of("staged_copy_efficiency");
      graph_.staged_limits.push_back({link, add_resource(of.id + " staged", of.kind,
                                                         {of.capacity * cpu.staged_copy_efficiency,
                                                          weaker(of.provenance, efficiency)})});
    };
    const auto limit_both = [&](const auto& device) {
      const Cpu& cpu = *find_socket(system, socket_of(system, device))->model;
      limit(device.id, device.at.id, cpu);
      limit(device.at.id, device.id, cpu);
    };
    for (const auto& part : system.switches) limit_both(part);
    for (const auto& gpu : system.gpus) limit_both(gpu);
    for (const auto& socket : system.sockets)
      for (const auto& other : system.sockets)
        if (graph_.find_resource(other.id + " -> " + socket.id))
          limit(other.id, socket.id, *socket.model);
  }

  ResourceIndex port_of(const Device<Nic>& nic, std::string_view direction) {
    const auto id = nic.id + std::string(direction);
    if (const auto known = graph_.find_resource(id)) return *known;
    return add_resource(
        id, ResourceKind::network,
        {nic.model->payload_bandwidth(), weaker_of(*nic.model, "port_bandwidth", "efficiency")});
  }

  Graph graph_;
};

}  // namespace

std::optional<VertexIndex> Graph::find(std::string_view id) const {
  for (const VertexIndex vertex : vertices.indices())
    if (vertices[vertex].id == id) return vertex;
  return {};
}

VertexIndex Graph::at(std::string_view id) const {
  const auto found = find(id);
  GPUFEED_ASSERT(found, "the part is in the graph");
  return *found;
}

VertexIndex Graph::memory_of(std::string_view socket_id) const {
  return at(std::string(socket_id) + " memory");
}

VertexIndex Graph::media_of(std::string_view source_id) const {
  return at(std::string(source_id) + " media");
}

VertexIndex Graph::gpu(std::size_t number) const {
  for (const VertexIndex vertex : vertices.indices())
    if (vertices[vertex].kind == VertexKind::gpu && number-- == 0) return vertex;
  GPUFEED_ASSERT(false, "the system has so many GPUs");
  return VertexIndex(0);
}

std::optional<ResourceIndex> Graph::find_resource(std::string_view id) const {
  for (const ResourceIndex resource : resources.indices())
    if (resources[resource].id == id) return resource;
  return {};
}

ResourceIndex Graph::memory_resource(std::string_view socket_id) const {
  const auto found = find_resource(std::string(socket_id) + " memory");
  GPUFEED_ASSERT(found, "every socket has a memory");
  return *found;
}

ResourceIndex Graph::read_resource(std::string_view source_id) const {
  const auto found = find_resource(source_id);
  GPUFEED_ASSERT(found, "the drive or store is in the graph");
  return *found;
}

ResourceIndex Graph::write_resource(std::string_view source_id) const {
  const auto found = find_resource(std::string(source_id) + " write");
  GPUFEED_ASSERT(found, "what is written has a limit");
  return *found;
}

Graph build_graph(const Scenario& scenario, const StorageAccess& access) {
  return Builder().build(scenario, access);
}

std::string socket_of(const System& system, const Attachment& device) {
  const Attachment* part = &device;
  for (std::size_t climbed = 0; climbed <= system.switches.size(); ++climbed) {
    if (find_socket(system, part->at.id)) return part->at.id;
    const auto on = std::ranges::find(system.switches, part->at.id, &Device<Switch>::id);
    GPUFEED_ASSERT(on != system.switches.end(), "a device hangs on a socket or a switch");
    part = &*on;
  }
  GPUFEED_ASSERT(false, "switches hang on sockets, not on each other in a circle");
  return {};
}

}  // namespace gpufeed
