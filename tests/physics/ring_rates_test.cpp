// SPDX-License-Identifier: Apache-2.0
// What rings between the GPUs of a node attain: over NVLink, without it, through host memory.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kGradients = 4e8;  ///< 1e8 parameters in FP32
constexpr double kPcie = 1e10;
constexpr double kBricks = 2e10;
constexpr double kCopies = 0.9;  ///< of a brick's raw rate
constexpr double kInRings = 0.8;
constexpr double kStaged = 0.8;  ///< of the rate to one GPU, in these machines
constexpr double kLink = 1e-6;   ///< latency

Ref<Link> brick() {
  auto link = named<Link>("brick");
  link.raw_bandwidth = {kBricks};
  link.efficiency = {kCopies};
  link.ring_efficiency = Ratio{kInRings};
  link.latency = {kLink};
  return ref(std::move(link));
}

/// Four GPUs at two sockets; bricks between those of a socket, if they are wanted.
Scenario machine(bool bricks) {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  m.sockets = 2;
  m.rate[kGpuLink] = kPcie;
  m.rate[kMemory] = 1e13;
  m.parameters = 100'000'000;
  m.exchange = true;
  Scenario scenario = scenario_of(m);
  if (bricks)
    edit(scenario.system, [](System& system) {
      add_bricks(system, 0, 1, brick());
      add_bricks(system, 2, 3, brick());
    });
  return scenario;
}

Scenario first_gpus(Scenario scenario, std::int64_t gpus) {
  scenario.workload.get<FeedsGpus>().gpus = gpus;
  return scenario;
}

double exchange_s(const Scenario& scenario) { return exchange_time(make_plan(scenario)).value; }

/// 2 (n-1)/n of the gradients at `rate`, and the latency of as many rounds.
double ring_s(int gpus, double rate, double hop_latency) {
  return 2.0 * (gpus - 1) / gpus * kGradients / rate + 2 * (gpus - 1) * hop_latency;
}

double copy_Bps(Scenario scenario, const std::string& from, const std::string& to) {
  Copy& copy = become<kind::Transfers>(scenario.workload).copies.emplace_back();
  copy.from = part(scenario, from);
  copy.to = part(scenario, to);
  return simulate(scenario).copies.at(0).bandwidth_Bps;
}

Scenario without_peers(Scenario scenario) {
  edit(scenario.system, [](System& system) { system.peer_to_peer = false; });
  return scenario;
}

}  // namespace

TEST_CASE("a brick gives copies its efficiency and rings its ring_efficiency") {
  const Scenario scenario = machine(true);
  CHECK(copy_Bps(scenario, "gpu0", "gpu1") == approx(kBricks * kCopies));
  CHECK(exchange_s(first_gpus(scenario, 2)) == approx(ring_s(2, kBricks * kInRings, kLink)));
}

TEST_CASE("a scenario's ring_efficiency is a share of what copies get, on every way of a node") {
  Scenario scenario = first_gpus(machine(true), 2);
  scenario.exchange.ring_efficiency = Ratio{0.5};
  CHECK(exchange_s(scenario) == approx(ring_s(2, kBricks * kCopies * 0.5, kLink)));
  Scenario over_pcie = first_gpus(machine(false), 2);
  over_pcie.exchange.ring_efficiency = Ratio{0.5};
  CHECK(exchange_s(over_pcie) == approx(ring_s(2, kPcie * 0.5, 2 * kLink)));
}

TEST_CASE("one ring in the order of the GPUs is as slow as its slowest hop") {
  // From socket to socket through host memory, by way of four links and that of the sockets.
  Scenario scenario = machine(true);
  scenario.exchange.rings = Rings::one;
  scenario.exchange.ring_efficiency = Ratio{0.5};
  const Plan plan = make_plan(scenario);
  CHECK(exchange_time(plan).value == approx(ring_s(4, kPcie * kStaged * 0.5, 3 * kLink)));
  int over_nvlink = 0;
  for (const Flow& flow : plan.exchange.at(0).flows)
    for (const ResourceIndex resource : plan.route(flow.route).resources)
      over_nvlink += plan.resource(resource).kind == ResourceKind::nvlink ? 1 : 0;
  CHECK(over_nvlink == 2);
}

TEST_CASE("one ring takes one direction of NVLink where a search finds rings both ways") {
  Scenario scenario = machine(false);
  edit(scenario.system, [](System& system) {
    for (int a = 0; a < 4; ++a) add_bricks(system, a, (a + 1) % 4, brick());
  });
  CHECK(exchange_s(scenario) == approx(ring_s(4, 2 * kBricks * kInRings, kLink)));
  scenario.exchange.rings = Rings::one;
  CHECK(exchange_s(scenario) == approx(ring_s(4, kBricks * kInRings, kLink)));
}

TEST_CASE("without peer-to-peer, copies and rings of one socket pass its memory") {
  const Scenario scenario = without_peers(machine(true));
  CHECK(copy_Bps(scenario, "gpu0", "gpu1") == approx(kPcie * kStaged));
  CHECK(exchange_s(first_gpus(scenario, 2)) == approx(ring_s(2, kPcie * kStaged, 2 * kLink)));
  CHECK(exchange_s(first_gpus(machine(false), 2)) == approx(ring_s(2, kPcie, 2 * kLink)));
}

TEST_CASE("through host memory every GPU of a ring sends and receives over its slot at once") {
  // Both ways together carry 1.2 of one way: 0.6 each, less than a staged copy alone.
  Scenario scenario = without_peers(machine(false));
  edit(scenario.system, [](System& system) {
    edit_all(system.gpus,
             [](Gpu& gpu) { edit(gpu.link, [](Link& link) { link.duplex = Ratio{1.2}; }); });
  });
  CHECK(exchange_s(first_gpus(scenario, 2)) == approx(ring_s(2, 0.6 * kPcie, 2 * kLink)));
}
