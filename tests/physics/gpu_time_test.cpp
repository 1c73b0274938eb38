// SPDX-License-Identifier: Apache-2.0
// GPUs of several speeds in one machine, and dies that share a board.
#include <doctest/doctest.h>

#include "sim/training/simulate.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Four GPUs that never wait for data, 1000 samples/s each, 32 a step.
Scenario four_gpus() {
  RandomMachine m;
  m.rate = {1e10, 1e10, 1e11, 1e11, 1e11, 1e11, 1e11, 1e11, 1e12, 1e11, 1e5, 1e3};
  m.gpus = 4;
  m.drives = 2;
  m.exchange = false;
  m.batch = 32;
  m.workers = 4;
  m.prefetch = 2;
  m.steps = 400;
  m.cores = 64;
  m.sample_size = 1e5;
  m.input_size = 1e4;
  return scenario_of(m);
}

/// The model's rates without "includes", so that they are those of single GPUs; no exchange then
/// lasts long: the model is small.
void measured_alone(Scenario& scenario) {
  auto model = *scenario.workload.model;
  for (auto& row : model.compute) row.includes = {};
  scenario.workload.model = ref(std::move(model));
}

}  // namespace

TEST_CASE(
    "of GPUs of two speeds the slower ones set the pace, and the others wait at the barrier") {
  Scenario scenario = four_gpus();
  System system = *scenario.system;
  auto slow = *system.gpus.front().model;
  slow.name = "slow";
  const auto slower = ref(std::move(slow));
  system.gpus[2].model = system.gpus[3].model = slower;
  scenario.system = ref(std::move(system));
  auto model = *scenario.workload.model;
  ComputeRow row = model.compute.front();
  row.gpu = slower;
  row.rate = {400};
  model.compute.push_back(row);
  scenario.workload.model = ref(std::move(model));
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == doctest::Approx(4 * 400).epsilon(1e-3));
  REQUIRE(result.gpus.size() == 2);
  const auto& fast = result.gpus[0].group == "gpu0, gpu1" ? result.gpus[0] : result.gpus[1];
  CHECK(fast.group == "gpu0, gpu1");
  CHECK(fast.share.compute == doctest::Approx(400.0 / 1000).epsilon(1e-3));
  CHECK(fast.share.barrier == doctest::Approx(1 - 400.0 / 1000).epsilon(1e-2));
}

TEST_CASE("two dies of a board that both work run at 94.5 % of their speed alone") {
  Scenario scenario = four_gpus();
  measured_alone(scenario);
  const double apart = simulate(scenario).throughput_samples_per_s;
  System system = *scenario.system;
  auto die = *system.gpus.front().model;
  die.dies_per_board = 2;
  die.shared_power_factor = 94.5_percent;
  const auto model = ref(std::move(die));
  for (std::size_t i = 0; i < 4; ++i) {
    system.gpus[i].model = model;
    system.gpus[i].board = i < 2 ? "board0" : "board1";
  }
  scenario.system = ref(std::move(system));
  CHECK(simulate(scenario).throughput_samples_per_s ==
        doctest::Approx(0.945 * apart).epsilon(1e-3));
  // Alone on its board, a die runs at its full speed.
  scenario.workload.gpus = 1;
  CHECK(simulate(scenario).throughput_samples_per_s == doctest::Approx(1e3).epsilon(1e-6));
}

TEST_CASE("an estimated step takes t0 and its time for every sample, and the result says so") {
  Scenario scenario = four_gpus();
  auto model = *scenario.workload.model;
  model.compute.clear();
  scenario.workload.model = ref(std::move(model));
  scenario.workload.step_lines = {
      {scenario.system->gpus.front().model.name, 10_ms, 2_ms, "what a test says"}};
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s ==
        doctest::Approx(4 * 32 / (0.010 + 32 * 0.002)).epsilon(0.01));
  REQUIRE(result.estimates.size() == 1);
  CHECK(result.estimates[0] == "compute rate of the GPUs");
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0] == "nobody measured model on gpu in fp32; estimate: what a test says");
}
