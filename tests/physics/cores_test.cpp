// SPDX-License-Identifier: Apache-2.0
// What cores give to those who share them.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("threads beyond the cores gain what SMT gains") {
  RandomMachine m = ample_machine();
  m.cores = 4;
  m.rate[kDecode] = 100;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == approx(4 * 100).epsilon(0.01));
  edit_cpus(scenario, [](Cpu& cpu) {
    cpu.threads_per_core = 2;
    cpu.smt_speedup = Ratio{1.3};
  });
  CHECK(rate_of(scenario) == approx(1.3 * 4 * 100).epsilon(0.01));
  scenario.loader.workers_per_gpu = 6;  // half of the cores run two
  CHECK(rate_of(scenario) == approx(1.15 * 4 * 100).epsilon(0.02));
}

TEST_CASE(
    "what SMT gains is the work's where it says so, the CPU's where that was measured or set") {
  RandomMachine m = ample_machine();
  m.cores = 4;
  m.rate[kDecode] = 100;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  const auto known_as = [&](Basis basis, bool by_user) {
    edit_cpus(scenario, [&](Cpu& cpu) {
      cpu.threads_per_core = 2;
      cpu.smt_speedup = Ratio{1.3};
      cpu.of_key["smt_speedup"] = {"somewhere", basis, by_user};
    });
  };
  const auto gains = [&](double gain, const std::string& of) {
    const Result result = simulate(scenario);
    CHECK(result.throughput_samples_per_s == approx(gain * 4 * 100).epsilon(0.015));
    const Evidence* const told = shown(result, EvidenceCode::smt_gain);
    REQUIRE((told != nullptr) == !of.empty());
    if (told) CHECK(told->shows.arguments.at(1) == FactValue(of));
  };
  known_as(Basis::estimate, false);
  const std::string cpu = scenario.system->sockets.front().model.name;
  gains(1.3, cpu);
  edit(scenario.workload.dataset(),
       [](Dataset& dataset) { dataset.decode_smt_speedup = Ratio{1.1}; });
  gains(1.1, scenario.workload.dataset().name);
  auto decoder = named<Decoder>("jpeg");
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 10_ms;
  decode_by(scenario, decoder);
  gains(1.3, cpu);
  decoder.cost[0].smt_speedup = Ratio{1.0};  // and nothing to tell: no thread adds to its core
  decode_by(scenario, decoder);
  gains(1, "");
  known_as(Basis::measured, false);
  gains(1.3, cpu);
  known_as(Basis::estimate, true);
  gains(1.3, cpu);
  decoder.cost.push_back(decoder.cost[0]);
  decoder.cost[1].cpu = scenario.system->sockets.front().model;
  decoder.cost[1].smt_speedup = Ratio{1.2};
  decode_by(scenario, decoder);
  gains(1.2, "jpeg");
}

TEST_CASE("cores of a socket serve its own loaders where they are kept apart") {
  RandomMachine m = ample_machine();
  m.sockets = 2;
  m.gpus = 4;
  m.cores = 2;
  m.rate[kDecode] = 100;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == approx(4 * 100).epsilon(0.01));
  scenario.loader.placement = part(scenario, "cpu0");
  CHECK(rate_of(scenario) == approx(4 * 100).epsilon(0.01));
  scenario.loader.cores = CorePool::socket;
  CHECK(rate_of(scenario) == approx(2 * 100).epsilon(0.01));
}

TEST_CASE("cores run slower the more of them are at work") {
  RandomMachine m = ample_machine();
  m.cores = 4;
  m.rate[kDecode] = 100;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.all_core_speed = 60_percent; });
  const auto speed = [](double load) { return 1 - 0.4 * load; };
  for (const std::int64_t cores : {1, 2, 4})
    for (const double measured : {0.0, 0.5, 1.0}) {
      CAPTURE(cores);
      CAPTURE(measured);
      scenario.loader.decode_cores = cores;
      edit(scenario.workload.dataset(),
           [&](Dataset& dataset) { dataset.decode_load = Ratio{measured}; });
      const auto used = static_cast<double>(cores);
      CHECK(rate_of(scenario) ==
            approx(used * 100 * speed(used / 4) / speed(measured)).epsilon(0.01));
    }
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.decode_load = {}; });
  CHECK(rate_of(scenario) == approx(400).epsilon(0.01));  // as stated
  // Two workers do not employ more than two cores; a decoder states its load as well.
  scenario.loader.decode_cores = {};
  scenario.loader.workers_per_gpu = 2;
  edit_drives(scenario, [](Drive& drive) { drive.read_latency = {}; });
  auto decoder = named<Decoder>("jpeg");
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 10_ms;
  decoder.cost[0].load = 25_percent;
  decode_by(scenario, decoder);
  CHECK(rate_of(scenario) == approx(2 * 100 * speed(2.0 / 4) / speed(0.25)).epsilon(0.01));
  // What all cores lose at this work counts before what the CPU says of any.
  decoder.cost[0].all_core_speed = 90_percent;
  decode_by(scenario, decoder);
  CHECK(rate_of(scenario) == approx(2 * 100 * 0.95 / 0.975).epsilon(0.01));
  decoder.cost[0].all_core_speed = {};
  // How cores slow down is an estimate, and so is what follows from it.
  edit_cpus(scenario, [](Cpu& cpu) { cpu.provenance.basis = Basis::estimate; });
  decoder.cost[0].basis = Basis::measured;
  for (const bool stated : {true, false}) {
    if (!stated) decoder.cost[0].load = {};
    edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
    const Result result = simulate(scenario);
    const auto cores = std::ranges::find(result.resources, "decode cores", &ResourceUse::id);
    REQUIRE(cores != result.resources.end());
    CHECK(cores->basis == (stated ? "estimate" : "measured"));
  }
}

TEST_CASE("copying out of the page cache and collating take cores as well") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  scenario.loader.batch_overhead = 64_ms;
  CHECK(rate_of(scenario) == approx(32 / (32 * kDecodeTime + 64e-3)).epsilon(0.01));
  scenario.loader.batch_overhead = {};
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{5e7}; });
  CHECK(rate_of(scenario) == approx(1 / (kDecodeTime + 1e5 / 5e7)).epsilon(0.01));
}
