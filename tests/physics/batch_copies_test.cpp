// SPDX-License-Identifier: Apache-2.0
// Batches on their way into the GPUs: while these compute, or before.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kLinkRate = 2e9;
constexpr double kInput = 1e6;
constexpr double kOnLink =
    kBatch * kInput / kLinkRate + 1e-6;  ///< 16 ms, half of what computing takes

/// Storage and cores that could do many times as much.
Scenario scenario_with(std::int64_t gpus) {
  RandomMachine m = ample_machine();
  m.gpus = gpus;
  m.rate[kGpuLink] = kLinkRate;
  m.input_size = kInput;
  return scenario_of(m);
}

}  // namespace

TEST_CASE("a copy in order is added to the step, an overlapped one is hidden behind it") {
  Scenario scenario = scenario_with(2);
  CHECK(rate_of(scenario) == about(2 * kBatch / kStep, 2e-3));
  scenario.loader.copy = BatchCopy::in_order;
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == about(2 * kBatch / (kStep + kOnLink), 2e-3));
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s);
  CHECK(result.gpus.front().share.copy == about(kOnLink / (kStep + kOnLink), 5e-3));
  check_spent_once(result);
}

TEST_CASE("gradients are exchanged after computing, and copies in order wait for them") {
  Scenario scenario = scenario_with(2);
  edit(scenario.workload.model(), [](Model& model) {
    model.parameters = 1'000'000;
    model.compute.front().includes.clear();
  });
  scenario.loader.copy = BatchCopy::in_order;
  const double exchange = exchange_time(make_plan(scenario)).value;
  CHECK(exchange > 1e-3);
  CHECK(rate_of(scenario) == about(2 * kBatch / (kStep + kOnLink + exchange), 3e-3));
}

TEST_CASE("GPUs that wait for nobody copy in order as well") {
  Scenario scenario = scenario_with(2);
  scenario.exchange.mode = ExchangeMode::asynchronous;
  scenario.loader.copy = BatchCopy::in_order;
  const double exchange = exchange_time(make_plan(scenario)).value;
  CHECK(rate_of(scenario) == about(2 * kBatch / (kStep + kOnLink + exchange), 5e-3));
}

TEST_CASE("memory that is not pinned: one core copies, and the GPU waits") {
  // 12 GB/s to the GPU, 7 GB/s of a core, 6 MB a sample, 1000 samples/s.
  RandomMachine m = ample_machine();
  m.rate[kGpuLink] = 12e9;
  m.rate[kDrive] = 5e10;
  m.sample_size = 1e3;
  m.input_size = 6e6;
  Scenario scenario = scenario_of(m);
  scenario.loader.decode = DecodeOn::none;
  scenario.loader.cache = CacheRule::none;
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{7e9}; });
  CHECK(rate_of(scenario) == about(1000, 3e-3));
  scenario.loader.pinned_memory = false;
  CHECK(rate_of(scenario) == about(1 / (1e-3 + 6e6 / 7e9), 3e-3));
}
