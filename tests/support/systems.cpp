// SPDX-License-Identifier: Apache-2.0
#include "tests/support/systems.h"

#include <fmt/format.h>

#include "sim/load/check/join_parts.h"
#include "sim/model/scenario.h"

namespace gpufeed::systems {

Ref<Link> link(Bandwidth per_lane, Seconds latency, Basis basis) {
  auto link = named<Link>("link", basis);
  link.raw_bandwidth = per_lane;
  link.latency = latency;
  return ref(std::move(link));
}

Ref<Cpu> cpu(Bandwidth memory, Ratio staged_copy_efficiency) {
  auto cpu = named<Cpu>("cpu");
  cpu.cores = 20;
  cpu.memory_bandwidth = memory;
  cpu.staged_copy_efficiency = staged_copy_efficiency;
  return ref(std::move(cpu));
}

Ref<Drive> drive(const Ref<Link>& link, std::int64_t lanes, Bandwidth read, Bandwidth write,
                 Rate read_rate, Seconds latency) {
  auto drive = plugged<Drive>("drive", link, lanes);
  drive.capacity = 2_TB;
  drive.read_bandwidth = read;
  drive.write_bandwidth = write;
  drive.read_rate = read_rate;
  drive.read_latency = latency;
  return ref(std::move(drive));
}

Ref<Nic> nic(const Ref<Link>& link, std::int64_t lanes, Bandwidth port) {
  auto nic = plugged<Nic>("nic", link, lanes);
  nic.port_bandwidth = port;
  return ref(std::move(nic));
}

Ref<Array> array(Bandwidth read, Rate read_rate, Seconds latency) {
  auto array = named<Array>("array");
  array.capacity = 100_TB;
  array.read_bandwidth = read;
  array.read_rate = read_rate;
  array.read_latency = latency;
  return ref(std::move(array));
}

void add_socket(System& system, std::string id, const Ref<Cpu>& model) {
  Socket socket;
  socket.id = Label(std::move(id));
  socket.model = model;
  socket.memory = 256_GiB;
  system.sockets.push_back(std::move(socket));
}

Connection connection(std::string a, std::string b, const Ref<Link>& link, std::int64_t count) {
  Connection result;
  result.between = {{Label(std::move(a)), {}}, {Label(std::move(b)), {}}};
  result.link = link;
  result.count = count;
  return result;
}

void add_bricks(System& system, int a, int b, const Ref<Link>& brick, std::int64_t count) {
  system.nvlinks.push_back(
      connection(fmt::format("gpu{}", a), fmt::format("gpu{}", b), brick, count));
}

System dual_root(int gpus, Bandwidth socket_link) {
  auto system = named<System>("dual-root");
  add_socket(system, "cpu0", cpu(60_GBps));
  add_socket(system, "cpu1", cpu(60_GBps));
  system.socket_links = {connection("cpu0", "cpu1", link(socket_link, 500_ns))};
  const auto model = ref(plugged<Gpu>("gpu", link(0.75_GBps, 1_us), 16));
  for (int i = 0; i < gpus; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i), 2 * i < gpus ? "cpu0" : "cpu1", model);
  return system;
}

void add_sata_drives(System& system, int count, const std::string& at) {
  const auto model = drive(link(550_MBps, 5_us), 1, 500_MBps, 400_MBps, 1e9_per_s);
  for (int i = 0; i < count; ++i) add_device(system.drives, fmt::format("ssd{}", i), at, model);
}

void add_cube_mesh(System& system, const Ref<Link>& brick) {
  for (const int quad : {0, 4})
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) add_bricks(system, quad + a, quad + b, brick);
  for (int a = 0; a < 4; ++a) add_bricks(system, a, a + 4, brick);
}

System dgx1() {
  auto system = named<System>("dgx1");
  add_socket(system, "cpu0", cpu(60_GBps));
  add_socket(system, "cpu1", cpu(60_GBps));
  system.socket_links = {connection("cpu0", "cpu1", link(8_GBps, 500_ns), 2)};
  const auto lane = link(0.75_GBps, 1_us);
  const auto plx = ref(plugged<Switch>("plx", lane, 16));
  const auto p100 = ref(plugged<Gpu>("p100", lane, 16));
  for (int i = 0; i < 4; ++i)
    add_device(system.switches, fmt::format("plx{}", i), i < 2 ? "cpu0" : "cpu1", plx);
  for (int i = 0; i < 8; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i), fmt::format("plx{}", i / 2), p100);
  for (int i = 0; i < 4; ++i)
    add_device(system.nics, fmt::format("nic{}", i), fmt::format("plx{}", i),
               nic(lane, 16, 10_GBps));
  add_sata_drives(system, 4, "cpu0");
  add_cube_mesh(system, link(20_GBps, 2_us));
  return system;
}

template Device<Switch>& add_device(std::vector<Device<Switch>>&, std::string, std::string,
                                    const Ref<Switch>&);
template Device<Gpu>& add_device(std::vector<Device<Gpu>>&, std::string, std::string,
                                 const Ref<Gpu>&);
template Device<Nic>& add_device(std::vector<Device<Nic>>&, std::string, std::string,
                                 const Ref<Nic>&);
template Device<Drive>& add_device(std::vector<Device<Drive>>&, std::string, std::string,
                                   const Ref<Drive>&);

System joined(System system) {
  join_system(system);
  return system;
}

Scenario scenario_on(System system) {
  Scenario scenario;
  scenario.system = ref(joined(std::move(system)));
  return scenario;
}

PartRef part(const Scenario& scenario, const std::string& name) {
  return part(scenario, Label(name));
}

PartRef part(const Scenario& scenario, const Label& id) {
  PartRef ref{id, {}};
  join_part(ref,
            {PartKind::store, PartKind::volume, PartKind::drive, PartKind::socket, PartKind::gpu,
             PartKind::nic},
            scenario, *scenario.system);
  return ref;
}

void add_store(Scenario& scenario, const std::string& name, const Ref<Array>& model,
               const std::vector<std::string>& via) {
  Store store;
  store.model = model;
  for (const auto& nic : via) store.via.push_back(part(scenario, nic));
  scenario.store[name] = std::move(store);
}

}  // namespace gpufeed::systems
