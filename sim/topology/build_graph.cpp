// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/graph.h"

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
  const PartId first = socket_of(system, system.gpus.front());
  return !system.lets_gpus_reach() || std::ranges::any_of(system.gpus, [&](const auto& gpu) {
    return socket_of(system, gpu) != first;
  });
}

class Builder {
 public:
  explicit Builder(const Scenario& scenario) : scenario_(scenario), system_(*scenario.system) {}

  Graph build(const StorageAccess& access, const StorageAccess& of_stores) {
    add_vertices();
    for (std::size_t i = 0; i < system_.sockets.size(); ++i)
      add_memory({PartKind::socket, i}, system_.sockets[i]);
    for (const auto& link : system_.socket_links)
      connect(link, ResourceKind::socket_link, toward_device(*link.link, link.count));
    attach_all(PartKind::pcie_switch, system_.switches);
    attach_all(PartKind::gpu, system_.gpus);
    if (system_.lets_gpus_reach()) add_nvlinks();
    attach_all(PartKind::nic, system_.nics);
    for (std::size_t i = 0; i < system_.drives.size(); ++i)
      add_drive({PartKind::drive, i}, system_.drives[i], access);
    for (std::size_t i = 0; i < scenario_.store.size(); ++i)
      add_store({PartKind::store, i}, scenario_.store.at(i), of_stores);
    if (scenario_.nodes > 1) join_nodes();
    for (std::size_t i = 0; i < system_.gpus.size(); ++i)
      limit_slot({PartKind::gpu, i}, system_.gpus[i]);
    if (system_.sockets.size() > 1)
      for (std::size_t i = 0; i < system_.sockets.size(); ++i)
        limit_remote({PartKind::socket, i}, *system_.sockets[i].model);
    if (stages_copies(system_)) limit_staged();
    return std::move(graph_);
  }

 private:
  Label label(PartId part) const { return label_of(scenario_, part); }

  void add_vertex(PartId part, VertexKind kind) { graph_.vertices.add({label(part), kind, part}); }
  void add_inner_vertex(PartId part, VertexKind kind) {
    graph_.vertices.add({inside(label(part), name_of(kind)), kind, part});
  }

  /// All parts before any edge: a part may hang on one that is listed after it.
  void add_vertices() {
    for (std::size_t i = 0; i < system_.sockets.size(); ++i) {
      add_vertex({PartKind::socket, i}, VertexKind::socket);
      add_inner_vertex({PartKind::socket, i}, VertexKind::memory);
    }
    const auto add_all = [&](PartKind kind, const auto& parts, VertexKind as) {
      for (std::size_t i = 0; i < parts.size(); ++i) add_vertex({kind, i}, as);
    };
    add_all(PartKind::pcie_switch, system_.switches, VertexKind::pcie_switch);
    add_all(PartKind::gpu, system_.gpus, VertexKind::gpu);
    add_all(PartKind::nic, system_.nics, VertexKind::nic);
    for (std::size_t i = 0; i < system_.drives.size(); ++i) {
      add_inner_vertex({PartKind::drive, i}, VertexKind::media);
      add_vertex({PartKind::drive, i}, VertexKind::drive);
    }
    add_all(PartKind::nvswitch, system_.nvswitches, VertexKind::nvswitch);
  }

  ResourceIndex add_resource(const ResourceKey& key, const Label& label, ResourceKind kind,
                             const Capacity& capacity) {
    return graph_.resources.add(
        {label, kind, capacity.rate, capacity.provenance, key, capacity.limit});
  }
  ResourceIndex add_link(PartId from, PartId to, ResourceKind kind, const Capacity& capacity) {
    return add_resource({from, Role::link, to}, link_label(label(from), label(to)), kind, capacity);
  }

  void add_edge(VertexIndex from, VertexIndex to, std::optional<ResourceIndex> resource,
                Seconds latency) {
    graph_.edges.push_back({from, to, resource, latency});
  }
  void add_edge(PartId from, PartId to, std::optional<ResourceIndex> resource, Seconds latency) {
    add_edge(graph_.at(from), graph_.at(to), resource, latency);
  }

  void add_memory(PartId part, const Socket& socket) {
    const Cpu& cpu = *socket.model;
    const ResourceIndex resource = add_resource(
        {part, Role::memory}, inside(label(part), "memory"), ResourceKind::memory,
        {socket.memory_bandwidth.value_or(cpu.memory_bandwidth) * cpu.memory_efficiency,
         socket.memory_bandwidth ? cpu.provenance_of("memory_efficiency")
                                 : weaker_of(cpu, "memory_bandwidth", "memory_efficiency")});
    add_edge(graph_.at(part), graph_.memory_of(part), resource, {});
    add_edge(graph_.memory_of(part), graph_.at(part), resource, {});
  }

  void add_nvlinks() {
    for (const auto& link : system_.nvlinks)
      connect(link, ResourceKind::nvlink, between_gpus(scenario_, *link.link, link.count));
    for (std::size_t i = 0; i < system_.nvswitches.size(); ++i) {
      const NvSwitch& part = system_.nvswitches[i];
      add_nvswitch({PartKind::nvswitch, i}, part, between_gpus(scenario_, *part.link, part.count));
    }
  }

  void connect(const Connection& link, ResourceKind kind, const Capacity& capacity) {
    GPUFEED_ASSERT(link.between.size() == 2, "a connection has two ends");
    const PartId first = *link.between.front();
    const PartId second = *link.between.back();
    connect_one_way(first, second, kind, capacity, link.link->latency);
    connect_one_way(second, first, kind, capacity, link.link->latency);
  }

  void connect_one_way(PartId from, PartId to, ResourceKind kind, const Capacity& capacity,
                       Seconds latency) {
    if (const auto same = graph_.find_resource({from, Role::link, to})) {
      auto& resource = graph_.resources[*same];
      resource.capacity += capacity.rate;
      resource.provenance = weaker(Provenance(resource.provenance), capacity.provenance);
      return;
    }
    add_edge(from, to, add_link(from, to, kind, capacity), latency);
  }

  template <class Product>
  void attach_all(PartKind kind, const std::vector<Device<Product>>& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) attach(PartId{kind, i}, devices[i]);
  }

  template <class Product>
  void attach(PartId part, const Device<Product>& device) {
    const Plug& plug = *device.model;
    const PartId at = *device.at;
    if constexpr (std::is_same_v<Product, Drive>)
      if (!plug.link && !device.link) {  // it plugs into nothing: a virtual one
        add_edge(part, at, {}, {});
        add_edge(at, part, {}, {});
        return;
      }
    const Link& own = plug.link ? *plug.link : **device.link;
    const Link& slot = device.link ? **device.link : own;
    const auto given = device.lanes.value_or(plug.lanes);
    const auto lanes = plug.link ? std::min(plug.lanes, given) : given;
    if constexpr (std::is_same_v<Product, Drive>)
      plug_in(part, at, own.for_drives(), slot.for_drives(), lanes);
    else
      plug_in(part, at, own, slot, lanes);
  }

  void plug_in(PartId part, PartId at, const Link& own, const Link& slot, std::int64_t lanes) {
    const auto latency = std::max(own.latency, slot.latency);
    const auto out = lesser(from_device(own, lanes), from_device(slot, lanes));
    const auto in = lesser(toward_device(own, lanes), toward_device(slot, lanes));
    add_edge(part, at, add_link(part, at, ResourceKind::bus, out), latency);
    add_edge(at, part, add_link(at, part, ResourceKind::bus, in), latency);
  }

  void add_drive(PartId part, const Device<Drive>& device, const StorageAccess& access) {
    const auto capacity = drive_capacities(*device.model, access);
    const ResourceIndex read =
        add_resource({part, Role::read}, label(part), ResourceKind::drive, capacity.read);
    const ResourceIndex write = add_resource({part, Role::write}, inside(label(part), "write"),
                                             ResourceKind::drive, capacity.write);
    add_edge(graph_.media_of(part), graph_.at(part), read, device.model->read_law().latency);
    add_edge(graph_.at(part), graph_.media_of(part), write, {});
    attach(part, device);
  }

  void add_nvswitch(PartId part, const NvSwitch& nvswitch, const Capacity& capacity) {
    const auto way = [&](PartId from, PartId to) {
      add_edge(from, to, add_link(from, to, ResourceKind::nvlink, capacity),
               nvswitch.link->latency / 2);
    };
    for (const PartRef& gpu : nvswitch.gpus) {
      way(*gpu, part);
      way(part, *gpu);
    }
  }

  void add_store(PartId part, const Store& store, const StorageAccess& access) {
    const Array& array = *store.model;
    add_inner_vertex(part, VertexKind::media);
    add_vertex(part, VertexKind::store);
    add_inner_vertex(part, VertexKind::network);
    const VertexIndex media = graph_.media_of(part);
    const VertexIndex front = graph_.at(part);
    const VertexIndex network = *graph_.find(part, VertexKind::network);
    const ResourceIndex read = add_resource({part, Role::read}, label(part), ResourceKind::array,
                                            store_capacity(store, access));
    const Seconds protocol = store.protocol ? (*store.protocol)->request_latency : Seconds{};
    add_edge(media, front, read, array.read_latency + protocol);
    std::optional<ResourceIndex> client;
    if (store.protocol)
      if (const auto most = client_capacity(system_, store, access))
        client = add_resource({part, Role::client}, inside(label(part), "client"),
                              ResourceKind::network, *most);
    add_edge(front, network, client, {});
    std::optional<ResourceIndex> write;
    if (array.write_bandwidth)
      write = add_resource({part, Role::write}, inside(label(part), "write"), ResourceKind::array,
                           store_write_capacity(store));
    add_edge(front, media, write, {});
    add_edge(network, front, client, {});
    for (std::size_t i = 0; i < system_.nics.size(); ++i) {
      const PartId nic{PartKind::nic, i};
      if (store.via.empty() || std::ranges::count(store.via, nic, &PartRef::part))
        join_ports(network, nic);
    }
  }

  void join_nodes() {
    graph_.vertices.add({label(kBetweenNodes), VertexKind::network, kBetweenNodes});
    const VertexIndex network = *graph_.find(kBetweenNodes, VertexKind::network);
    for (std::size_t i = 0; i < system_.nics.size(); ++i) join_ports(network, {PartKind::nic, i});
  }

  void join_ports(VertexIndex network, PartId nic) {
    add_edge(network, graph_.at(nic), port_of(nic, Role::port_in, "port"), {});
    add_edge(graph_.at(nic), network, port_of(nic, Role::port_out, "port out"), {});
  }

  ResourceIndex port_of(PartId nic, Role role, std::string_view what) {
    if (const auto known = graph_.find_resource({nic, role})) return *known;
    const Nic& product = *find_nic(system_, nic)->model;
    const bool in = role == Role::port_in;
    const bool own =
        in ? product.receive_bandwidth.has_value() : product.send_bandwidth.has_value();
    const char* const key = !own ? "port_bandwidth" : in ? "receive_bandwidth" : "send_bandwidth";
    return add_resource({nic, role}, inside(label(nic), what), ResourceKind::network,
                        {in ? product.payload_received() : product.payload_sent(),
                         weaker_of(product, key, "efficiency")});
  }

  /// The narrower of slot and product sets the rate of one direction; the link's kind says how much
  /// more both directions attain together, the socket what it passes on from other slots.
  void limit_slot(PartId part, const Device<Gpu>& gpu) {
    const Plug& plug = *gpu.model;
    const Link& slot = gpu.link ? **gpu.link : *plug.link;
    const auto lanes = std::min(plug.lanes, gpu.lanes.value_or(plug.lanes));
    const bool own_is_narrower = plug.link->to_device(lanes) < slot.to_device(lanes);
    const Link& link = own_is_narrower ? *plug.link : slot;
    const Cpu& cpu = *find_socket(system_, socket_of(system_, gpu))->model;
    if (cpu.peer_to_peer_efficiency)
      add_pass_limit(
          PassLimit::Of::from_devices, graph_.at(part), {part, Role::from_devices},
          inside(label(part), name_of(Role::from_devices)), ResourceKind::bus,
          {link.raw_bandwidth * (static_cast<double>(lanes) * cpu.peer_to_peer_efficiency->value),
           cpu.provenance_of("peer_to_peer_efficiency")});
    if (!link.duplex) return;
    add_pass_limit(
        PassLimit::Of::both_ways, graph_.at(part), {part, Role::both_ways},
        inside(label(part), "both ways"), ResourceKind::bus,
        {link.to_device(lanes) * link.duplex->value, weaker_of(link, "efficiency", "duplex")});
  }

  void limit_remote(PartId socket, const Cpu& cpu) {
    const VertexIndex memory = graph_.memory_of(socket);
    const auto limit = [&](PassLimit::Of of, Role role, const std::optional<Bandwidth>& most,
                           std::string_view key) {
      if (most)
        add_pass_limit(of, memory, {socket, role},
                       inside(graph_.vertex(memory).label, name_of(role)),
                       ResourceKind::socket_link, {*most, cpu.provenance_of(key)});
    };
    using Of = PassLimit::Of;
    limit(Of::remote_reads, Role::remote_reads, cpu.remote_dma_read, "remote_dma_read");
    limit(Of::remote_core_reads, Role::remote_core_reads, cpu.remote_core_read, "remote_core_read");
    limit(Of::remote_writes, Role::remote_writes, cpu.remote_dma_write, "remote_dma_write");
  }

  void add_pass_limit(PassLimit::Of of, VertexIndex vertex, const ResourceKey& key,
                      const Label& label, ResourceKind kind, const Capacity& capacity) {
    graph_.pass_limits.push_back({of, vertex, add_resource(key, label, kind, capacity)});
  }

  void limit_staged() {
    const auto limit = [&](PartId from, PartId to, const Cpu& cpu) {
      const ResourceIndex link = *graph_.find_resource({from, Role::link, to});
      if (cpu.staged_copy_efficiency.value == 1) return;
      const Resource& of = graph_.resource(link);
      const Provenance efficiency = cpu.provenance_of("staged_copy_efficiency");
      graph_.staged_limits.push_back(
          {link, add_resource({from, Role::staged, to}, inside(of.label, "staged"), of.kind,
                              {of.capacity * cpu.staged_copy_efficiency,
                               weaker(of.provenance, efficiency)})});
    };
    const auto limit_all = [&](PartKind kind, const auto& devices) {
      for (std::size_t i = 0; i < devices.size(); ++i) {
        const Cpu& cpu = *find_socket(system_, socket_of(system_, devices[i]))->model;
        limit({kind, i}, *devices[i].at, cpu);
        limit(*devices[i].at, {kind, i}, cpu);
      }
    };
    limit_all(PartKind::pcie_switch, system_.switches);
    limit_all(PartKind::gpu, system_.gpus);
    for (std::size_t i = 0; i < system_.sockets.size(); ++i)
      for (std::size_t j = 0; j < system_.sockets.size(); ++j) {
        const PartId socket{PartKind::socket, i}, other{PartKind::socket, j};
        if (graph_.find_resource({other, Role::link, socket}))
          limit(other, socket, *system_.sockets[i].model);
      }
  }

  const Scenario& scenario_;
  const System& system_;
  Graph graph_;
};

}  // namespace

Graph build_graph(const Scenario& scenario, const StorageAccess& access) {
  return Builder(scenario).build(access, access);
}

Graph build_graph(const Scenario& scenario, const StorageAccess& of_drives,
                  const StorageAccess& of_stores) {
  return Builder(scenario).build(of_drives, of_stores);
}

}  // namespace gpufeed
