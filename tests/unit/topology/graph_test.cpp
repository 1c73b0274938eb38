// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/topology/capacity.h"
#include "tests/support/approx.h"
#include "tests/support/labels.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;

namespace {

const Edge& edge(const Graph& graph, std::string_view from, std::string_view to) {
  const VertexIndex tail = vertex(graph, from);
  const VertexIndex head = vertex(graph, to);
  const auto it = std::ranges::find_if(
      graph.edges, [&](const Edge& e) { return e.from == tail && e.to == head; });
  REQUIRE_MESSAGE(it != graph.edges.end(), fmt::format("{} -> {}", from, to));
  return *it;
}

/// The resource that an edge takes.
const Resource& on(const Graph& graph, std::string_view from, std::string_view to) {
  return graph.resource(edge(graph, from, to).resource.value());
}

}  // namespace

TEST_CASE("a device and what it hangs on are joined by one resource per direction") {
  const auto graph = build_graph(scenario_on(dgx1()), {.request = 128_kB});
  CHECK(text_of(on(graph, "gpu0", "plx0").label) == "gpu0 -> plx0");
  CHECK(text_of(on(graph, "plx0", "gpu0").label) == "plx0 -> gpu0");
  CHECK(on(graph, "plx0", "cpu0").capacity.value == approx(12e9));
  CHECK(on(graph, "plx0", "cpu0").kind == ResourceKind::bus);
  CHECK(edge(graph, "plx0", "cpu0").latency == 1_us);
  CHECK(text_of(graph.vertex(graph.gpu(3)).label) == "gpu3");
  CHECK_FALSE(find_vertex(graph, "gpu8"));
}

TEST_CASE("modules slower than the CPU allows set the memory's rate") {
  auto system = dual_root(2);
  system.sockets[0].memory_bandwidth = 30_GBps;
  const auto graph = build_graph(scenario_on(std::move(system)), {.request = 4_kB});
  CHECK(resource(graph, "cpu0 memory").capacity == 30_GBps);
  CHECK(resource(graph, "cpu1 memory").capacity == 60_GBps);
}

TEST_CASE("both directions of a memory share one resource") {
  auto xeon = named<Cpu>("xeon");
  xeon.memory_bandwidth = 76.8_GBps;
  xeon.memory_efficiency = {0.8};
  xeon.of_key["memory_efficiency"] = {"a guess", Basis::estimate};
  System system;
  add_socket(system, "cpu0", ref(xeon));
  const auto graph = build_graph(scenario_on(system), {.request = 4_kB});
  CHECK(edge(graph, "cpu0", "cpu0 memory").resource == edge(graph, "cpu0 memory", "cpu0").resource);
  const auto& memory = resource(graph, "cpu0 memory");
  CHECK(memory.capacity.value == approx(61.44e9));
  CHECK(memory.provenance.source == "a guess");
  CHECK(graph.memory_of(part(graph, "cpu0")) == vertex(graph, "cpu0 memory"));
}

TEST_CASE("a drive reads and writes what its law attains") {
  auto system = dual_root(2);
  const auto model = drive(link(550_MBps), 1, 500_MBps, 400_MBps, 100e3_per_s);
  add_device(system.drives, "ssd0", "cpu0", model);
  const auto joined = [](double a, double b) {
    return approx(std::pow(std::pow(a, -4) + std::pow(b, -4), -0.25));
  };
  const auto large = build_graph(scenario_on(system), {.request = 128_kB});
  CHECK(resource(large, "ssd0").capacity.value == joined(500e6, 100e3 * 128e3));
  const auto small = build_graph(scenario_on(system), {.request = 4_kB});
  CHECK(resource(small, "ssd0").capacity.value == joined(500e6, 100e3 * 4e3));
  CHECK(text_of(on(small, "ssd0", "ssd0 media").label) == "ssd0 write");
  CHECK(resource(small, "ssd0 write").capacity.value == joined(400e6, 100e3 * 4e3));
  CHECK(edge(small, "ssd0 media", "ssd0").latency == 100_us);
}

TEST_CASE("reads and writes share the time of a drive") {
  auto system = dual_root(2);
  const auto model = drive(link(550_MBps), 1, 500_MBps, 250_MBps, 1e9_per_s);
  add_device(system.drives, "ssd0", "cpu0", model);
  const auto graph = build_graph(scenario_on(system), {.request = 128_kB, .read_share = 0.75});
  const double together = 1 / (0.75 / 500e6 + 0.25 / 250e6);
  CHECK(resource(graph, "ssd0").capacity.value == approx(0.75 * together));
  CHECK(resource(graph, "ssd0 write").capacity.value == approx(0.25 * together));
}

TEST_CASE("many readers of whole files get the part of the rate that the drive says") {
  auto system = dual_root(2);
  auto model = *drive(link(550_MBps), 1, 500_MBps, 400_MBps, 1e9_per_s);
  model.file_efficiency = {0.855};
  add_device(system.drives, "ssd0", "cpu0", ref(model));
  const auto graph = build_graph(scenario_on(system), {.request = 128_kB, .whole_files = true});
  CHECK(resource(graph, "ssd0").capacity.value == approx(0.855 * 500e6));
}

TEST_CASE(
    "flash on PCIe that does not say what readers of whole files attain is seen as others are") {
  const auto attained = [](std::optional<double> payload, Medium medium, bool plugged) {
    Link slot = *link(10_GBps);
    if (payload) slot.packet_payload = Bytes{*payload};
    Drive model = *drive(ref(slot), 1, 500_MBps, 400_MBps, 1e9_per_s);
    model.medium = medium;
    if (!plugged) model.link = {};
    model.complete();
    return drive_capacities(model, {.request = 128_kB, .whole_files = true, .run = kInARow})
               .read.rate.value /
           500e6;
  };
  CHECK(attained(256, Medium::flash, true) == approx(0.86));
  CHECK(attained({}, Medium::flash, true) == approx(1));   // SATA, whose port is the limit
  CHECK(attained({}, Medium::flash, false) == approx(1));  // a provisioned volume
  CHECK(attained(256, Medium::disk, true) == approx(1));
}

TEST_CASE("a disk seeks between requests of many readers, not within one stream") {
  auto system = dual_root(2);
  auto model = *drive(link(550_MBps), 1, 200_MBps, 200_MBps, 100_per_s, 8_ms);
  model.medium = Medium::disk;
  add_device(system.drives, "hdd0", "cpu0", ref(model));
  const auto rate = [&](Bytes run) {
    const auto graph = build_graph(scenario_on(system), {.request = 100_kB, .run = run});
    return resource(graph, "hdd0").capacity.value;
  };
  CHECK(rate({}) == approx(1e5 / (10e-3 + 1e5 / 200e6)));
  CHECK(rate(1_MB) == approx(1e6 / (10e-3 + 1e6 / 200e6)));
  CHECK(rate(kInARow) == approx(200e6));
  const auto writes = build_graph(scenario_on(system), {.request = 100_kB, .run = 1_MB});
  CHECK(resource(writes, "hdd0 write").capacity.value == approx(1e5 / (10e-3 + 1e5 / 200e6)));
}

TEST_CASE("a drive fills the packets of its link; a GPU reaches what copies do") {
  auto lane = *link(1_GBps);
  lane.efficiency = {0.8};
  lane.efficiency_from_device = Ratio{0.85};
  lane.packet_payload = 256_B;
  lane.packet_overhead = 24_B;
  lane.of_key["packet_payload"] = {"TLP arithmetic", Basis::estimate};
  auto system = dual_root(2);
  add_device(system.drives, "ssd0", "cpu0", drive(ref(lane), 4, 500_MBps, 400_MBps, 1e9_per_s));
  add_device(system.gpus, "gpu9", "cpu0", ref(plugged<Gpu>("gpu", ref(lane), 4)));
  const auto graph = build_graph(scenario_on(system), {.request = 128_kB});
  CHECK(resource(graph, "ssd0 -> cpu0").capacity.value == approx(4e9 * 256 / 280));
  CHECK(resource(graph, "cpu0 -> ssd0").capacity.value == approx(4e9 * 256 / 280));
  CHECK(resource(graph, "ssd0 -> cpu0").provenance.basis == Basis::estimate);
  CHECK(resource(graph, "gpu9 -> cpu0").capacity.value == approx(4e9 * 0.85));
  CHECK(resource(graph, "cpu0 -> gpu9").capacity.value == approx(4e9 * 0.8));
}

TEST_CASE("the key that binds a drive lends its provenance") {
  auto model = *drive(link(1_GBps), 4, 3_GBps, 1_GBps, 500e3_per_s);
  model.of_key["read_rate"] = {"fio", Basis::measured};
  auto system = dual_root(2);
  add_device(system.drives, "ssd0", "cpu0", ref(model));
  const auto basis_at = [&](Bytes request) {
    return resource(build_graph(scenario_on(system), {.request = request}), "ssd0")
        .provenance.basis;
  };
  CHECK(basis_at(4_kB) == Basis::measured);
  CHECK(basis_at(1_MB) == Basis::datasheet);
}

TEST_CASE("a resource says which of its limits binds") {
  auto system = dual_root(2);
  add_device(system.drives, "ssd0", "cpu0", drive(link(1_GBps), 4, 3_GBps, 1_GBps, 500e3_per_s));
  const auto limit = [&](Bytes request, double outstanding) {
    const StorageAccess access{.request = request, .outstanding = outstanding};
    return resource(build_graph(scenario_on(system), access), "ssd0").limit;
  };
  constexpr double kMany = std::numeric_limits<double>::infinity();
  CHECK(limit(1_MB, kMany) == StorageLimit::bandwidth);
  CHECK(limit(4_kB, kMany) == StorageLimit::requests);  // 500,000 of 4 kB are 2 GB
  CHECK(limit(4_kB, 1) == StorageLimit::latency);       // 4 kB in 100 us are 40 MB/s

  Array model = *array(10_GBps, 1e5_per_s);
  model.front_end_bandwidth = 5_GBps;
  model.metadata_rate = 1000_per_s;
  const auto store_limit = [&](Bytes request, Bytes file) {
    Store store;
    store.model = ref(model);
    return store_capacity(store, {.request = request, .bytes_per_open = file}).limit;
  };
  CHECK(store_limit(1_MB, {}) == StorageLimit::front_end);
  CHECK(store_limit(4_kB, {}) == StorageLimit::requests);
  CHECK(store_limit(1_MB, 100_kB) == StorageLimit::file_opens);
  model.front_end_bandwidth = {};
  CHECK(store_limit(1_MB, {}) == StorageLimit::bandwidth);
}

TEST_CASE("a drive that plugs into nothing is limited by itself alone") {
  auto system = dual_root(2);
  Drive model = *drive(link(1_GBps), 1, 3_GBps, 1_GBps);
  model.link = {};
  add_device(system.drives, "vda", "cpu0", ref(model));
  const auto graph = build_graph(scenario_on(system), {.request = 1_MB});
  CHECK(find_resource(graph, "vda"));
  CHECK_FALSE(find_resource(graph, "vda -> cpu0"));
  CHECK_FALSE(find_resource(graph, "cpu0 -> vda"));
}

TEST_CASE("a slot that is older or narrower than the product sets the rate") {
  const auto gen4 = link(2_GBps, 1_us);
  const auto gen3 = link(1_GBps, 2_us, Basis::estimate);
  const auto model = ref(plugged<Gpu>("gpu", gen4, 16));
  auto system = dual_root(0);
  add_device(system.gpus, "own", "cpu0", model);
  add_device(system.gpus, "narrow", "cpu0", model).lanes = 8;
  add_device(system.gpus, "wide", "cpu0", model).lanes = 32;
  add_device(system.gpus, "old", "cpu0", model).link = gen3;
  const auto graph = build_graph(scenario_on(system), {.request = 4_kB});
  CHECK(resource(graph, "cpu0 -> own").capacity.value == approx(32e9));
  CHECK(resource(graph, "cpu0 -> narrow").capacity.value == approx(16e9));
  CHECK(resource(graph, "cpu0 -> wide").capacity.value == approx(32e9));
  CHECK(resource(graph, "cpu0 -> old").capacity.value == approx(16e9));
  CHECK(resource(graph, "cpu0 -> old").provenance.basis == Basis::estimate);
  CHECK(edge(graph, "old", "cpu0").latency == 2_us);
}

TEST_CASE("each direction of a link has its own efficiency, and its own provenance") {
  auto pcie = named<Link>("pcie");
  pcie.raw_bandwidth = 1_GBps;
  pcie.efficiency = {0.7};
  pcie.efficiency_from_device = Ratio{0.8};
  pcie.of_key["efficiency_from_device"] = {"a guess", Basis::estimate};
  auto system = dual_root(0);
  add_device(system.gpus, "gpu0", "cpu0", ref(plugged<Gpu>("gpu", ref(pcie), 16)));
  const auto graph = build_graph(scenario_on(system), {.request = 4_kB});
  CHECK(resource(graph, "cpu0 -> gpu0").capacity.value == approx(0.7 * 16e9));
  CHECK(resource(graph, "cpu0 -> gpu0").provenance.basis == Basis::datasheet);
  CHECK(resource(graph, "gpu0 -> cpu0").capacity.value == approx(0.8 * 16e9));
  CHECK(resource(graph, "gpu0 -> cpu0").provenance.basis == Basis::estimate);
}

TEST_CASE("several links between the same two sockets add up, whichever way they are written") {
  auto system = dual_root(2, 10_GBps);
  system.socket_links.push_back(connection("cpu1", "cpu0", link(5_GBps), 2));
  const auto graph = build_graph(scenario_on(system), {.request = 4_kB});
  CHECK(resource(graph, "cpu0 -> cpu1").capacity.value == approx(20e9));
  CHECK(resource(graph, "cpu1 -> cpu0").capacity.value == approx(20e9));
  CHECK(resource(graph, "cpu1 -> cpu0").kind == ResourceKind::socket_link);
}

TEST_CASE("a store reaches the machine by the ports of its own NICs") {
  auto scenario = scenario_on(dgx1());
  add_store(scenario, "nas", array(5_GBps, 10e3_per_s), {"nic1", "nic2"});
  add_store(scenario, "scratch", array(5_GBps));
  const auto graph = build_graph(scenario, {.request = 100_kB});
  // 10e3 requests/s of 100 kB are 1 GB/s, and the array's bandwidth is 5 GB/s.
  CHECK(on(graph, "nas media", "nas").capacity.value ==
        approx(1e9 * std::pow(1 + std::pow(1.0 / 5, 4), -0.25)));
  CHECK(on(graph, "nas media", "nas").kind == ResourceKind::array);
  CHECK(edge(graph, "nas media", "nas").latency == 1_ms);
  CHECK_FALSE(edge(graph, "nas", "nas network").resource);
  CHECK(text_of(on(graph, "nas network", "nic1").label) == "nic1 port");
  CHECK(text_of(on(graph, "nic1", "nas network").label) == "nic1 port out");
  CHECK(on(graph, "nas network", "nic1").capacity.value == approx(10e9));
  CHECK(edge(graph, "nas network", "nic2").resource ==
        edge(graph, "scratch network", "nic2").resource);
  const VertexIndex network = vertex(graph, "nas network");
  // To its NICs, and back to the store.
  CHECK(std::ranges::count(graph.edges, network, &Edge::from) == 2 + 1);
  CHECK(std::ranges::count(graph.edges, vertex(graph, "scratch network"), &Edge::from) == 4 + 1);
}

TEST_CASE("resources are found by what they are part of") {
  auto scenario = scenario_on(dgx1());
  add_store(scenario, "nas", array(5_GBps));
  const auto graph = build_graph(scenario, {.request = 4_kB});
  CHECK(text_of(graph.resource(graph.memory_resource(part(graph, "cpu1"))).label) == "cpu1 memory");
  CHECK(text_of(graph.resource(graph.read_resource(part(graph, "nas"))).label) == "nas");
  CHECK_FALSE(graph.find_resource({{PartKind::socket, 9}, Role::memory}));
}

TEST_CASE("what two values make together is known as badly as the worse one") {
  const Provenance datasheet{"a page", Basis::datasheet};
  const Provenance estimate{"a guess", Basis::estimate};
  CHECK(weaker(datasheet, estimate).source == "a guess");
  CHECK(weaker(estimate, datasheet).source == "a guess");
  CHECK(weaker(datasheet, {"another", Basis::datasheet}).source == "a page");
}

TEST_CASE("names of vertices and of resources are unique, and what these are part of") {
  auto scenario = scenario_on(dgx1());
  scenario.nodes = 2;
  add_store(scenario, "nas", array(5_GBps));
  const auto graph = build_graph(scenario, {.request = 4_kB});
  std::set<std::string> ids;
  std::set<std::string> resources;
  for (const auto& vertex : graph.vertices) ids.insert(text_of(vertex.label));
  for (const auto& resource : graph.resources) resources.insert(text_of(resource.label));
  CHECK(ids.size() == graph.vertices.size());
  CHECK(resources.size() == graph.resources.size());
  for (const auto resource : graph.resources.indices())
    CHECK(graph.find_resource(graph.resource(resource).key) == resource);
}

TEST_CASE("a device's socket is found through switches behind switches") {
  auto system = joined(dgx1());
  const PartId cpu0{PartKind::socket, 0}, cpu1{PartKind::socket, 1};
  CHECK(socket_of(system, system.gpus[5]) == cpu1);
  CHECK(socket_of(system, system.drives[0]) == cpu0);
  add_device(system.switches, "deep", "plx3", system.switches[0].model);
  add_device(system.gpus, "gpu8", "deep", system.gpus[0].model);
  system = joined(system);
  CHECK(socket_of(system, system.gpus[8]) == cpu1);
}
