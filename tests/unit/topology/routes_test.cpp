// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/routes.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/approx.h"
#include "tests/support/labels.h"
#include "tests/support/refusals.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;

namespace {

/// The resources of a route in the order of travel: "ssd0, ssd0 -> cpu0".
std::string text_of(const Graph& graph, const std::optional<Route>& route) {
  if (!route) return "none";
  std::string text;
  for (const ResourceIndex resource : route->resources)
    text += (text.empty() ? "" : ", ") + text_of(graph.resource(resource).label);
  return text;
}

struct Machine {
  Scenario scenario;
  Graph graph;

  explicit Machine(Scenario of)
      : scenario(std::move(of)), graph(build_graph(scenario, {.request = 128_kB})) {}

  std::string way(std::string_view from, std::string_view to) const {
    return text_of(graph, shortest_route(graph, vertex(graph, from), vertex(graph, to)));
  }
  std::string read(std::string_view source, std::string_view socket, std::size_t gpu) const {
    return text_of(graph, read_route(scenario, graph, part(graph, source),
                                     graph.memory_of(part(graph, socket)), {.gpu = gpu}));
  }
  /// Without the limits of copies through host memory, which follow the links.
  std::string peer(std::size_t from, std::size_t to, bool nvlink) const {
    auto route = peer_route(scenario, graph, from, to, nvlink);
    for (const StagedLimit& limit : graph.staged_limits)
      if (route && std::erase(route->resources, limit.resource) > 0)
        CHECK(times_taken(*route, limit.link) > 0);
    return text_of(graph, route);
  }
};

Scenario dgx1_with_nas(const std::vector<std::string>& via = {}) {
  auto scenario = scenario_on(dgx1());
  add_store(scenario, "nas", array(5_GBps), via);
  return scenario;
}

}  // namespace

TEST_CASE("a read takes the drive, its link, the socket link and the memory once each") {
  const Machine machine(scenario_on(dgx1()));
  CHECK(machine.read("ssd2", "cpu0", 0) == "ssd2, ssd2 -> cpu0, cpu0 memory");
  const auto route = read_route(machine.scenario, machine.graph, part(machine.graph, "ssd2"),
                                machine.graph.memory_of(part(machine.graph, "cpu1")), {.gpu = 7});
  CHECK(text_of(machine.graph, route) == "ssd2, ssd2 -> cpu0, cpu0 -> cpu1, cpu1 memory");
  CHECK(route->latency.value == approx(100e-6 + 5e-6 + 0.5e-6));
  CHECK_FALSE(route->cap);
}

TEST_CASE("a copy goes down through the switches, a write into the drive's media") {
  const Machine machine(scenario_on(dgx1()));
  CHECK(machine.way("cpu1 memory", "gpu0") ==
        "cpu1 memory, cpu1 -> cpu0, cpu0 -> plx0, plx0 -> gpu0");
  CHECK(machine.way("cpu0 memory", "ssd1 media") == "cpu0 memory, cpu0 -> ssd1, ssd1 write");
  CHECK(machine.way("gpu0", "gpu1") == "gpu0 -> gpu1");
  CHECK(machine.way("gpu0", "gpu0").empty());
}

TEST_CASE("no way leads through another GPU, a memory or a network") {
  auto system = dual_root(2);
  system.socket_links.clear();
  add_bricks(system, 0, 1, link(20_GBps));
  for (const auto* socket : {"0", "1"})
    add_device(system.nics, fmt::format("nic{}", socket), fmt::format("cpu{}", socket),
               nic(link(1_GBps), 16, 10_GBps));
  auto scenario = scenario_on(system);
  add_store(scenario, "nas", array(5_GBps));
  const Machine machine(scenario);
  CHECK(machine.way("cpu0 memory", "gpu1") == "none");
  CHECK(machine.way("cpu0 memory", "cpu1 memory") == "none");
  CHECK(machine.way("nas media", "cpu1 memory") == "nas, nic1 port, nic1 -> cpu1, cpu1 memory");
}

TEST_CASE("of equally short ways the first in the order of the parts is taken") {
  auto system = dual_root(2);
  for (const auto* id : {"cpu2", "cpu3"}) add_socket(system, id, cpu(60_GBps));
  const auto hop = link(10_GBps);
  system.socket_links = {connection("cpu0", "cpu2", hop), connection("cpu0", "cpu3", hop),
                         connection("cpu3", "cpu1", hop), connection("cpu2", "cpu1", hop)};
  const Machine machine(scenario_on(system));
  CHECK(machine.way("cpu0 memory", "cpu1 memory") ==
        "cpu0 memory, cpu0 -> cpu2, cpu2 -> cpu1, cpu1 memory");
}

TEST_CASE("a store is read through the NIC beside the GPU") {
  const Machine machine(dgx1_with_nas());
  for (const std::size_t gpu : {0u, 1u})
    CHECK(machine.read("nas", "cpu0", gpu) ==
          "nas, nic0 port, nic0 -> plx0, plx0 -> cpu0, cpu0 memory");
  CHECK(machine.read("nas", "cpu1", 7) ==
        "nas, nic3 port, nic3 -> plx3, plx3 -> cpu1, cpu1 memory");
}

TEST_CASE("a store is read through a NIC near the memory, even for a GPU elsewhere") {
  const Machine machine(dgx1_with_nas());
  CHECK(machine.read("nas", "cpu0", 4) ==
        "nas, nic0 port, nic0 -> plx0, plx0 -> cpu0, cpu0 memory");
  CHECK(machine.read("nas", "cpu0", 5) ==
        "nas, nic1 port, nic1 -> plx1, plx1 -> cpu0, cpu0 memory");
}

TEST_CASE("GPUs with the same choice of NICs take them in turn, however they are numbered") {
  auto system = dual_root(0);
  const auto model = ref(plugged<Gpu>("gpu", link(1_GBps), 16));
  for (int i = 0; i < 8; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i), i % 2 ? "cpu1" : "cpu0", model);
  for (int i = 0; i < 4; ++i)
    add_device(system.nics, fmt::format("nic{}", i), i < 2 ? "cpu0" : "cpu1",
               nic(link(1_GBps), 16, 10_GBps));
  auto scenario = scenario_on(system);
  add_store(scenario, "nas", array(5_GBps));
  const Machine machine(scenario);
  std::string used;
  for (std::size_t gpu = 0; gpu < 8; ++gpu)
    used += machine.read("nas", gpu % 2 ? "cpu1" : "cpu0", gpu).substr(5, 4) + " ";
  CHECK(used == "nic0 nic2 nic1 nic3 nic0 nic2 nic1 nic3 ");
}

TEST_CASE("those that work for no GPU take the NICs beside the memory in turn, each for itself") {
  auto system = dual_root(0);
  for (int i = 0; i < 4; ++i)
    add_device(system.nics, fmt::format("nic{}", i), i < 2 ? "cpu0" : "cpu1",
               nic(link(1_GBps), 16, 10_GBps));
  auto scenario = scenario_on(system);
  add_store(scenario, "nas", array(5_GBps));
  const Machine machine(scenario);
  NicTurns turns;
  std::string used;
  for (unsigned user = 0; user < 6; ++user) {
    const VertexIndex memory = machine.graph.memory_of({PartKind::socket, user % 2U});
    const auto way =
        read_route(scenario, machine.graph, {PartKind::store, 0}, memory, turns.next(memory));
    used += text_of(machine.graph, way).substr(5, 4) + " ";
  }
  CHECK(used == "nic0 nic2 nic1 nic3 nic0 nic2 ");
}

TEST_CASE("a store is read only through the NICs that reach it") {
  const Machine machine(dgx1_with_nas({"nic3"}));
  CHECK(machine.read("nas", "cpu0", 0) ==
        "nas, nic3 port, nic3 -> plx3, plx3 -> cpu1, cpu1 -> cpu0, cpu0 memory");
}

TEST_CASE("GPUs use a brick where there is one, else their switches, else the host's memory") {
  const Machine machine(scenario_on(dgx1()));
  CHECK(machine.peer(0, 4, true) == "gpu0 -> gpu4");
  CHECK(machine.peer(0, 1, false) == "gpu0 -> plx0, plx0 -> gpu1");
  CHECK(machine.peer(0, 3, false) == "gpu0 -> plx0, plx0 -> cpu0, cpu0 -> plx1, plx1 -> gpu3");
  CHECK(machine.peer(0, 5, true) ==
        "gpu0 -> plx0, plx0 -> cpu0, cpu0 -> cpu1, cpu1 memory, cpu1 memory, cpu1 -> plx2, plx2 -> "
        "gpu5");
}

TEST_CASE("without peer-to-peer all pass the host's memory, of one socket and of one switch too") {
  auto system = dgx1();
  system.peer_to_peer = false;
  const Machine machine(scenario_on(system));
  CHECK(machine.peer(0, 1, true) ==
        "gpu0 -> plx0, plx0 -> cpu0, cpu0 memory, cpu0 memory, cpu0 -> plx0, plx0 -> gpu1");
  CHECK(machine.peer(0, 4, true) ==
        "gpu0 -> plx0, plx0 -> cpu0, cpu0 -> cpu1, cpu1 memory, cpu1 memory, cpu1 -> plx2, plx2 -> "
        "gpu4");
  CHECK(std::ranges::none_of(machine.graph.resources, [](const Resource& resource) {
    return resource.kind == ResourceKind::nvlink;
  }));
}

TEST_CASE("a staged copy is capped at the host's share of its narrowest link") {
  const Machine machine(scenario_on(dgx1()));
  const auto staged = peer_route(machine.scenario, machine.graph, 0, 5, false);
  REQUIRE(staged->cap);
  CHECK(staged->cap->value == approx(0.8 * 12e9));
  CHECK(staged->latency.value == approx(4e-6 + 0.5e-6));
  CHECK_FALSE(peer_route(machine.scenario, machine.graph, 0, 3, false)->cap);
}

TEST_CASE("a way that is missing is told with its two ends, the system, and what wants it") {
  Scenario scenario = scenario_on(dgx1());
  scenario.system.name = "half-a-box";
  Diagnostics missing;
  report_no_way(missing, {"job.toml", 7, 3}, scenario, Label("ssd0"), Label("cpu1 memory"));
  CHECK(refusal_of([&] { missing.throw_if_any(); }) ==
        "job.toml:7:3: error: there is no way from ssd0 to cpu1 memory in system half-a-box\n");
}
