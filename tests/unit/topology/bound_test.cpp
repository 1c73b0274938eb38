// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/bound.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/labels/label_text.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;

namespace {

constexpr Bytes kRead = 100_kB;
constexpr Bytes kCopied = 600_kB;

/// \param sources  names
FeedDemand demand_of(const Scenario& scenario, const std::vector<std::string>& sources,
                     const std::string& placement = Loader::kLocal) {
  const System& system = *scenario.system;
  FeedDemand demand{{}, kRead, kCopied, {}, {}};
  for (const auto& source : sources) demand.sources.push_back(*part(scenario, source));
  for (std::size_t i = 0; i < system.gpus.size(); ++i) {
    demand.gpus.push_back(i);
    demand.sockets.push_back(placement == Loader::kLocal ? socket_of(system, system.gpus[i])
                                                         : *part(scenario, placement));
  }
  return demand;
}
FeedDemand demand_of(const System& system, const std::vector<std::string>& sources,
                     const std::string& placement = Loader::kLocal) {
  return demand_of(scenario_on(system), sources, placement);
}

struct Answer {
  double rate;
  std::vector<std::string> cut;
  std::vector<std::size_t> starved;
};

Answer bound_of(const System& system, const FeedDemand& demand) {
  const auto graph = build_graph(scenario_on(system), {.request = 128_kB});
  const auto bound = feed_bound(graph, demand);
  Answer answer{bound.rate.value, {}, bound.starved};
  for (const ResourceIndex resource : bound.cut)
    answer.cut.push_back(text_of(graph.resource(resource).label));
  return answer;
}

using Ids = std::vector<std::string>;
auto exactly(double value) { return approx(value).epsilon(1e-9); }

}  // namespace

TEST_CASE("four SATA drives feed eight GPUs at the sum of what they read") {
  const auto system = dgx1();
  const auto answer = bound_of(system, demand_of(system, {"ssd0", "ssd1", "ssd2", "ssd3"}));
  CHECK(answer.rate == exactly(4 * 500e6 / 100e3));
  CHECK(answer.cut == Ids{"ssd0", "ssd1", "ssd2", "ssd3"});
  CHECK(answer.starved == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("what is asked for at most finds the same cut, or none below it") {
  auto system = dgx1();
  system.drives[2].link = link(100_MBps);
  const auto graph = build_graph(scenario_on(system), {.request = 128_kB});
  for (const auto& sources : {Ids{"ssd0", "ssd1", "ssd2", "ssd3"}, Ids{"ssd0"}, Ids{"ssd2"}}) {
    const FeedDemand demand = demand_of(system, sources);
    const FeedBound all = feed_bound(graph, demand);
    for (const double more : {1.0, 1 + 1e-9, 1.5, 1000.0}) {
      CAPTURE(more);
      const FeedBound some = feed_bound(graph, demand, all.rate * more);
      CHECK(some.rate.value == exactly(all.rate.value));
      CHECK(some.cut == all.cut);
      CHECK(some.starved == all.starved);
    }
    for (const double less : {1 - 1e-6, 0.5}) {
      const FeedBound none = feed_bound(graph, demand, all.rate * less);
      CHECK(std::isinf(none.rate.value));
      CHECK(none.cut.empty());
    }
  }
}

TEST_CASE("one slow slot holds back every drive of a volume") {
  auto system = dgx1();
  system.drives[2].link = link(100_MBps);
  const auto answer = bound_of(system, demand_of(system, {"ssd0", "ssd1", "ssd2", "ssd3"}));
  CHECK(answer.rate == exactly(4 * 100e6 / 100e3));
  CHECK(answer.cut == Ids{"ssd2 -> cpu0"});
}

TEST_CASE("an uplink that two GPUs share holds back all, and only those two starve") {
  auto system = dual_root(6);
  add_device(system.drives, "fast", "cpu0", drive(link(10_GBps), 4, 40_GBps, 1_GBps));
  add_device(system.switches, "plx0", "cpu1", ref(plugged<Switch>("plx", link(0.2_GBps), 8)));
  for (const std::size_t gpu : {3U, 4U}) system.gpus[gpu].at.id = Label("plx0");
  const auto answer = bound_of(system, demand_of(system, {"fast"}));
  CHECK(answer.rate == exactly(6 * (1.6e9 / 2) / 600e3));
  CHECK(answer.cut == Ids{"cpu1 -> plx0"});
  CHECK(answer.starved == std::vector<std::size_t>{3, 4});
}

TEST_CASE("a narrow socket link limits the half of the GPUs behind it, and so all") {
  auto system = dual_root(4, 1_GBps);
  add_device(system.drives, "fast", "cpu0", drive(link(10_GBps), 4, 40_GBps, 1_GBps));
  const auto answer = bound_of(system, demand_of(system, {"fast"}));
  CHECK(answer.rate == exactly(4.0 / 2 * 1e9 / 100e3));
  CHECK(answer.cut == Ids{"cpu0 -> cpu1"});
  CHECK(answer.starved == std::vector<std::size_t>{2, 3});
}

TEST_CASE("with all loaders on one socket the copies cross the socket link, not the reads") {
  auto system = dual_root(4, 1_GBps);
  add_device(system.drives, "fast", "cpu0", drive(link(10_GBps), 4, 40_GBps, 1_GBps));
  const auto near = bound_of(system, demand_of(system, {"fast"}, "cpu0"));
  CHECK(near.rate == exactly(4.0 / 2 * 1e9 / 600e3));
  CHECK(near.starved == std::vector<std::size_t>{2, 3});
  const auto far = bound_of(system, demand_of(system, {"fast"}, "cpu1"));
  CHECK(far.cut == Ids{"cpu1 -> cpu0"});  // the copies to gpu0 and gpu1; all reads need less
  CHECK(far.rate == exactly(4.0 / 2 * 1e9 / 600e3));
}

TEST_CASE("a memory carries every sample in and out") {
  auto system = dual_root(4, 100_GBps);
  system.sockets[0].model = cpu(1_GBps);
  add_device(system.drives, "fast", "cpu0", drive(link(10_GBps), 4, 40_GBps, 1_GBps));
  const auto answer = bound_of(system, demand_of(system, {"fast"}));
  CHECK(answer.rate == exactly(4.0 / 2 * 1e9 / (100e3 + 600e3)));
  CHECK(answer.cut == Ids{"cpu0 memory"});
  CHECK(answer.starved == std::vector<std::size_t>{0, 1});
}

TEST_CASE("a cut through drives and a socket link at once adds both") {
  // cpu1's three GPUs get what its own drive reads and what the link lets through.
  auto system = dual_root(0, 1_GBps);
  const auto gpu = ref(plugged<Gpu>("gpu", link(1_GBps), 16));
  for (int i = 0; i < 4; ++i)
    add_device(system.gpus, fmt::format("gpu{}", i), i == 0 ? "cpu0" : "cpu1", gpu);
  add_device(system.nics, "nic0", "cpu0", nic(link(10_GBps), 1, 10_GBps));
  add_device(system.nics, "nic1", "cpu1", nic(link(10_GBps), 1, 500_MBps));
  auto scenario = scenario_on(system);
  add_store(scenario, "nas", array(40_GBps));
  const auto graph = build_graph(scenario, {.request = 128_kB});
  const auto bound = feed_bound(graph, demand_of(scenario, {"nas"}));
  CHECK(bound.rate.value == exactly(4.0 / 3 * (1e9 + 500e6) / 100e3));
  CHECK(bound.cut.size() == 2);
  CHECK(bound.starved == std::vector<std::size_t>{1, 2, 3});
}

TEST_CASE("where the data need not be read only the copies limit") {
  auto system = dual_root(2);
  add_sata_drives(system, 1, "cpu0");
  auto demand = demand_of(system, {"ssd0"});
  demand.read_per_sample = {};
  const auto copies = bound_of(system, demand);
  CHECK(copies.rate == exactly(2 * 12e9 / 600e3));
  demand.copied_per_sample = {};
  CHECK(std::isinf(bound_of(system, demand).rate));
}

TEST_CASE("GPUs that no data can reach give rate 0") {
  auto system = dual_root(4);
  system.socket_links.clear();
  add_sata_drives(system, 1, "cpu0");
  const auto answer = bound_of(system, demand_of(system, {"ssd0"}));
  CHECK(answer.rate == 0);
  CHECK(answer.cut.empty());
  CHECK(answer.starved == std::vector<std::size_t>{2, 3});
}

TEST_CASE("the bound is exact for capacities that differ by six orders of magnitude") {
  auto system = dual_root(64, 1_TBps);
  add_device(system.drives, "slow", "cpu0", drive(link(3_TBps), 1, 1234567_B / 1_s, 1_MBps));
  const auto answer = bound_of(system, demand_of(system, {"slow"}));
  CHECK(answer.rate == exactly(1234567.0 / 100e3));
}
