// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/system.h"

namespace gpufeed {
struct Scenario;
}

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

Ref<Link> link(Bandwidth per_lane, Seconds latency = {}, Basis basis = Basis::datasheet);

Ref<Cpu> cpu(Bandwidth memory, Ratio staged_copy_efficiency = {0.8});

/// A GPU, switch, NIC or drive, to be filled in further, on `lanes` of a link.
template <class Product>
Product plugged(std::string name, const Ref<Link>& link, std::int64_t lanes) {
  auto product = named<Product>(std::move(name));
  product.link = link;
  product.lanes = lanes;
  return product;
}

Ref<Drive> drive(const Ref<Link>& link, std::int64_t lanes, Bandwidth read, Bandwidth write,
                 Rate read_rate = 1e6_per_s, Seconds latency = 100_us);

Ref<Nic> nic(const Ref<Link>& link, std::int64_t lanes, Bandwidth port);

Ref<Array> array(Bandwidth read, Rate read_rate = 1e9_per_s, Seconds latency = 1_ms);

void add_socket(System& system, std::string id, const Ref<Cpu>& model);

template <class Product>
Device<Product>& add_device(std::vector<Device<Product>>& devices, std::string id, std::string at,
                            const Ref<Product>& model) {
  Device<Product> device;
  device.id = Label(std::move(id));
  device.at.id = Label(std::move(at));
  device.model = model;
  devices.push_back(std::move(device));
  return devices.back();
}

Connection connection(std::string a, std::string b, const Ref<Link>& link, std::int64_t count = 1);

/// Bricks between GPU numbers `a` and `b`.
void add_bricks(System& system, int a, int b, const Ref<Link>& brick, std::int64_t count = 1);

/// Two sockets, "cpu0" and "cpu1", 60 GB/s of memory each, one 16 GB/s link between them, and
/// `gpus` GPUs on 12 GB/s each, the first half on cpu0.
System dual_root(int gpus, Bandwidth socket_link = 16_GBps);

/// `count` SATA drives at `at` that read 500 MB/s over 550 MB/s ports: "ssd0", "ssd1"...
void add_sata_drives(System& system, int count, const std::string& at);

/// The eight GPUs of a DGX-1 and its bricks: two quads, each joined to all, and a brick from each
/// GPU to its fellow of the other quad.
void add_cube_mesh(System& system, const Ref<Link>& brick);

/// Like a DGX-1 P100: two sockets; "plx0" to "plx3", two a socket, each with two GPUs and a 10 GB/s
/// NIC; four SATA drives on cpu0; one NVLink brick per edge of the cube mesh.
System dgx1();

extern template Device<Switch>& add_device(std::vector<Device<Switch>>&, std::string, std::string,
                                           const Ref<Switch>&);
extern template Device<Gpu>& add_device(std::vector<Device<Gpu>>&, std::string, std::string,
                                        const Ref<Gpu>&);
extern template Device<Nic>& add_device(std::vector<Device<Nic>>&, std::string, std::string,
                                        const Ref<Nic>&);
extern template Device<Drive>& add_device(std::vector<Device<Drive>>&, std::string, std::string,
                                          const Ref<Drive>&);

/// With what hangs on what found by its names.
System joined(System system);

Scenario scenario_on(System system);

/// The store, volume, drive, socket or GPU that is called so; "" refers to none.
PartRef part(const Scenario& scenario, const std::string& name);
PartRef part(const Scenario& scenario, const Label& id);

void add_store(Scenario& scenario, const std::string& name, const Ref<Array>& model,
               const std::vector<std::string>& via = {});

}  // namespace gpufeed::systems
