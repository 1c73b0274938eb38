// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "sim/model/scenario.h"

/// Small machines built by hand. Every rate is what the part attains, so that tests can compute
/// with the numbers they read: efficiencies are 1 unless a test sets them.
namespace gpufeed::systems {

using namespace gpufeed::literals;

template <class Product>
Ref<Product> ref(Product product) {
  const auto name = product.name;
  return {name, {}, std::make_shared<const Product>(std::move(product))};
}

template <class Product>
Product named(std::string name, Basis basis = Basis::datasheet) {
  Product product;
  product.name = std::move(name);
  product.provenance = {"a test", basis};
  return product;
}

inline Ref<Link> link(Bandwidth per_lane, Seconds latency = {}, Basis basis = Basis::datasheet) {
  auto link = named<Link>("link", basis);
  link.raw_bandwidth = per_lane;
  link.latency = latency;
  return ref(std::move(link));
}

inline Ref<Cpu> cpu(Bandwidth memory, Ratio staged_copy_efficiency = {0.8}) {
  auto cpu = named<Cpu>("cpu");
  cpu.cores = 20;
  cpu.memory_bandwidth = memory;
  cpu.staged_copy_efficiency = staged_copy_efficiency;
  return ref(std::move(cpu));
}

/// A GPU, switch, NIC or drive, to be filled in further, on `lanes` of a link.
template <class Product>
Product plugged(std::string name, const Ref<Link>& link, std::int64_t lanes) {
  auto product = named<Product>(std::move(name));
  product.link = link;
  product.lanes = lanes;
  return product;
}

inline Ref<Drive> drive(const Ref<Link>& link, std::int64_t lanes, Bandwidth read, Bandwidth write,
                        Rate read_rate = 1e6_per_s, Seconds latency = 100_us) {
  auto drive = plugged<Drive>("drive", link, lanes);
  drive.capacity = 2_TB;
  drive.read_bandwidth = read;
  drive.write_bandwidth = write;
  drive.read_rate = read_rate;
  drive.read_latency = latency;
  return ref(std::move(drive));
}

inline Ref<Nic> nic(const Ref<Link>& link, std::int64_t lanes, Bandwidth port) {
  auto nic = plugged<Nic>("nic", link, lanes);
  nic.port_bandwidth = port;
  return ref(std::move(nic));
}

inline Ref<Array> array(Bandwidth read, Rate read_rate = 1e9_per_s, Seconds latency = 1_ms) {
  auto array = named<Array>("array");
  array.capacity = 100_TB;
  array.read_bandwidth = read;
  array.read_rate = read_rate;
  array.read_latency = latency;
  return ref(std::move(array));
}

inline void add_socket(System& system, std::string id, const Ref<Cpu>& model) {
  Socket socket;
  socket.id = std::move(id);
  socket.model = model;
  socket.memory = 256_GiB;
  system.sockets.push_back(std::move(socket));
}

template <class Product>
Device<Product>& add_device(std::vector<Device<Product>>& devices, std::string id, std::string at,
                            const Ref<Product>& model) {
  Device<Product> device;
  device.id = std::move(id);
  device.at.id = std::move(at);
  device.model = model;
  devices.push_back(std::move(device));
  return devices.back();
}

inline Connection connection(std::string a, std::string b, const Ref<Link>& link,
                             std::int64_t count = 1) {
  Connection result;
  result.between = {{std::move(a), {}}, {std::move(b), {}}};
  result.link = link;
  result.count = count;
  return result;
}

/// Bricks between GPU numbers `a` and `b`.
inline void add_bricks(System& system, int a, int b, const Ref<Link>& brick,
                       std::int64_t count = 1) {
  system.nvlinks.push_back(
      connection(fmt::format("gpu{}", a), fmt::format("gpu{}", b), brick, count));
}

/// Two sockets, "cpu0" and "cpu1", 60 GB/s of memory each, one 16 GB/s link between them, and
/// `gpus` GPUs on 12 GB/s each, the first half on cpu0.
inline System dual_root(int gpus, Bandwidth socket_link = 16_GBps) {
  auto system = named<System>("dual-root");
  add_socket(system, "cpu0", cpu(60_GBps));
  add_socket(system, "cpu1", cpu(60_GBps));
  system.socket_links = {connection("cpu0", "cpu1", link(socket_link, 500_ns))};
  const auto model = ref(plugged<Gpu>("gpu", link(0.75_GBps, 1_us), 16));
  for (int i = 0; i < gpus; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i), 2 * i < gpus ? "cpu0" : "cpu1", model);
  return system;
}

/// `count` SATA drives at `at` that read 500 MB/s over 550 MB/s ports: "ssd0", "ssd1"...
inline void add_sata_drives(System& system, int count, const std::string& at) {
  const auto model = drive(link(550_MBps, 5_us), 1, 500_MBps, 400_MBps, 1e9_per_s);
  for (int i = 0; i < count; ++i) add_device(system.drives, fmt::format("ssd{}", i), at, model);
}

/// The eight GPUs of a DGX-1 and its bricks: two quads, each joined to all, and a brick from each
/// GPU to its fellow of the other quad.
inline void add_cube_mesh(System& system, const Ref<Link>& brick) {
  for (const int quad : {0, 4})
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) add_bricks(system, quad + a, quad + b, brick);
  for (int a = 0; a < 4; ++a) add_bricks(system, a, a + 4, brick);
}

/// Like a DGX-1 P100: two sockets; "plx0" to "plx3", two a socket, each with two GPUs and a 10 GB/s
/// NIC; four SATA drives on cpu0; one NVLink brick per edge of the cube mesh.
inline System dgx1() {
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

inline Scenario scenario_on(System system) {
  Scenario scenario;
  scenario.system = ref(std::move(system));
  return scenario;
}

inline void add_store(Scenario& scenario, const std::string& name, const Ref<Array>& model,
                      const std::vector<std::string>& via = {}) {
  Store store;
  store.model = model;
  for (const auto& nic : via) store.via.push_back({nic, {}});
  scenario.store[name] = std::move(store);
}

}  // namespace gpufeed::systems
