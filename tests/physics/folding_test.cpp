// SPDX-License-Identifier: Apache-2.0
// Few nodes that stand for all, against all nodes one by one.
#include "sim/training/fold.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "sim/training/simulate.h"
#include "tests/support/edits.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kAgree = 0.005;

/// Nodes of eight GPUs of 1000 samples/s, two network cards, two drives; reads cost half of what
/// each node could deliver at most, so that the GPUs hold all up.
RandomMachine node() {
  RandomMachine m = ample_machine();
  m.gpus = 8;
  m.nics = 2;
  m.drives = 2;
  m.parameters = 10'000'000;
  m.exchange = true;
  m.rate[kMemory] = 1e13;
  m.rate[kNicPort] = 1e10;
  m.jitter = 0.05;
  return m;
}

Scenario cluster(const RandomMachine& m, std::int64_t nodes) {
  Scenario scenario = scenario_of(m);
  scenario.nodes = nodes;
  edit(scenario.workload.dataset, [&](Dataset& dataset) { dataset.samples *= nodes; });
  return scenario;
}

Scenario on_store(Scenario scenario, double bandwidth) {
  edit(scenario.store["nas"].model,
       [&](Array& array) { array.read_bandwidth = Bandwidth{bandwidth}; });
  scenario.data.at.id = "nas";
  return scenario;
}

double noise_of(const Result& result) { return result.simulated.step_rate_uncertainty; }

/// \return whether it was folded
bool check_agrees(Scenario scenario) {
  const Result few = simulate(scenario);
  CAPTURE(few.simulated.folded.why);
  scenario.run.fold = false;
  const Result all = simulate(scenario);
  CHECK(all.simulated.folded.why == "run.fold is false");
  CHECK(all.simulated.folded.simulated_nodes == scenario.nodes);
  CHECK(few.nodes == scenario.nodes);
  CHECK(few.resources.size() == all.resources.size());
  const double noise = kAgree + noise_of(few) + noise_of(all);
  CHECK(few.throughput_samples_per_s ==
        doctest::Approx(all.throughput_samples_per_s).epsilon(noise));
  CHECK(few.accelerator_utilization ==
        doctest::Approx(all.accelerator_utilization).epsilon(noise));
  CHECK(few.training_s == doctest::Approx(all.training_s).epsilon(noise));
  if (few.checkpoint) CHECK(few.checkpoint->pause_s == doctest::Approx(all.checkpoint->pause_s).epsilon(0.02));
  MESSAGE("EXP ", few.throughput_samples_per_s / all.throughput_samples_per_s - 1, " util ", few.accelerator_utilization / all.accelerator_utilization - 1," time ", few.training_s/all.training_s-1, " first ",few.time_to_first_result_s/all.time_to_first_result_s-1," steps ", few.simulated.steps, " ", all.simulated.steps, " ex ", all.simulated.extrapolated_steps, " nodes ",few.simulated.folded.simulated_nodes, " ", few.simulated.folded.why, " noise ", noise, " busy ", all.accelerator_utilization, " cut ", all.bound.cut.front());
  return few.simulated.folded.simulated_nodes < scenario.nodes;
}

}  // namespace

TEST_CASE("EXP random") {
  for (std::uint64_t seed = getenv("S") ? atoi(getenv("S")) : 1; seed <= (getenv("T") ? atoi(getenv("T")) : 60); ++seed) {
    CAPTURE(seed);
    Scenario scenario = cluster_of(random_machine(seed), seed);
    const auto was = scenario.nodes;
    scenario.nodes = 48;
    edit(scenario.workload.dataset, [&](Dataset& dataset) { dataset.samples = dataset.samples / was * 48; });
    MESSAGE("seed ", seed, " alg ", int(scenario.exchange.algorithm), " store ", scenario.data.at.id, " gpus ", scenario.system->gpus.size(), " fabric ", scenario.fabric.has_value());
    check_agrees(scenario);
  }
}
