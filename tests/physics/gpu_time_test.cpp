// SPDX-License-Identifier: Apache-2.0
// GPUs of several speeds in one machine, and dies that share a board.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "sim/model/scenario.h"
#include "sim/range/effects.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Four GPUs that never wait for data, 1000 samples/s each, 32 a step.
Scenario four_gpus() {
  RandomMachine m = four_ample_gpus();
  m.jitter = 0;
  return scenario_of(m);
}

/// The model's rates without "includes", so that they are those of single GPUs; no exchange then
/// lasts long: the model is small.
void measured_alone(Scenario& scenario) {
  edit(scenario.workload.model(), [](Model& model) {
    for (auto& row : model.compute) row.includes = {};
  });
}

}  // namespace

TEST_CASE(
    "of GPUs of two speeds the slower ones set the pace, and the others wait at the barrier") {
  Scenario scenario = four_gpus();
  auto slow = scenario.system->gpus.front().model;
  edit(slow, [](Gpu& gpu) { gpu.name = "slow"; });
  edit(scenario.system,
       [&](System& system) { system.gpus[2].model = system.gpus[3].model = slow; });
  edit(scenario.workload.model(), [&](Model& model) {
    ComputeRow row = model.compute.front();
    row.gpu = slow;
    row.rate = {400};
    model.compute.push_back(row);
  });
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == approx(4 * 400).epsilon(1e-3));
  REQUIRE(result.gpus.size() == 2);
  const auto& fast = result.gpus[0].group == "gpu0, gpu1" ? result.gpus[0] : result.gpus[1];
  CHECK(fast.group == "gpu0, gpu1");
  CHECK(fast.share.compute == approx(400.0 / 1000).epsilon(1e-3));
  CHECK(fast.share.barrier == approx(1 - 400.0 / 1000).epsilon(1e-2));
}

TEST_CASE("two dies of a board that both work run at 94.5 % of their speed alone") {
  Scenario scenario = four_gpus();
  measured_alone(scenario);
  const double apart = rate_of(scenario);
  auto die = scenario.system->gpus.front().model;
  edit(die, [](Gpu& gpu) {
    gpu.dies_per_board = 2;
    gpu.shared_power_factor = 94.5_percent;
  });
  edit(scenario.system, [&](System& system) {
    for (std::size_t i = 0; i < 4; ++i) {
      system.gpus[i].model = die;
      system.gpus[i].board = i < 2 ? "board0" : "board1";
    }
  });
  CHECK(rate_of(scenario) == approx(0.945 * apart).epsilon(1e-3));
  // Alone on its board, a die runs at its full speed.
  scenario.workload.get<FeedsGpus>().gpus = 1;
  CHECK(rate_of(scenario) == approx(1e3).epsilon(1e-6));
}

TEST_CASE("an estimated step takes t0 and its time for every sample, and the result says so") {
  Scenario scenario = four_gpus();
  edit(scenario.workload.model(), [](Model& model) { model.compute.clear(); });
  scenario.workload.get<ComputesModel>().step_lines = {
      {scenario.system->gpus.front().model.name, 10_ms, 2_ms, "what a test says", {}}};
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == approx(4 * 32 / (0.010 + 32 * 0.002)).epsilon(0.01));
  const ValueEffects effects = effects_of(scenario, result);
  const auto most =
      std::ranges::max_element(effects.causes, std::ranges::less{}, &RangeCause::share);
  REQUIRE(most != effects.causes.end());
  CHECK(most->parameter == "step time of model on gpu");
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0] ==
        fact<WarningCode::rate_estimated>("model", "gpu", "fp32", "what a test says"));
}
