// SPDX-License-Identifier: Apache-2.0
// What checkpoints cost, extrapolated and simulated where they fall, on random machines too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("checkpoints that are extrapolated agree with those simulated where they fall") {
  struct Case {
    bool starved;
    CheckpointMode mode;
    std::int64_t interval;
  };
  using enum CheckpointMode;
  for (const Case& c :
       {Case{false, synchronous, 300}, Case{false, asynchronous, 300}, Case{true, synchronous, 250},
        Case{true, asynchronous, 250}, Case{true, asynchronous, 45}, Case{false, synchronous, 3}}) {
    Scenario scenario = c.starved ? starving(2e9, 1e9) : saved_every(1);
    scenario.checkpoint = checkpoint_every(c.interval);
    scenario.checkpoint->mode = c.mode;
    scenario.run.precision = {0.002};
    const Result quick = simulate(scenario);
    scenario.run.extrapolate = false;
    const Result full = simulate(scenario);
    CAPTURE(c.starved);
    CAPTURE(c.interval);
    CAPTURE(name_of(c.mode));
    CHECK(quick.simulated.steps < 1100);  // a few readers forget their order within 1,000
    CHECK(full.simulated.extrapolated_steps == 0);
    CHECK(quick.checkpoint->count == full.checkpoint->count);
    CHECK(quick.time_to_result_s == approx(full.time_to_result_s).epsilon(0.005));
    CHECK(quick.throughput_samples_per_s ==
          approx(full.throughput_samples_per_s).epsilon(0.015));  // start and end in it
    const double share = full.gpus.front().share.checkpoint;  // of all time, start and end in it
    CHECK(std::abs(quick.gpus.front().share.checkpoint - share) <= 0.007);
  }
}

TEST_CASE("on random machines, too, what checkpoints cost is what they add where they fall") {
  int compared = 0, exact = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(44u); ++seed) {
    RandomMachine m = random_machine(seed);
    m.steps = 1500;
    Scenario scenario = featured_scenario(m, seed);
    if (scenario.workload.kind() != kind_of<kind::Training>) continue;
    scenario.run.precision = {0.003};
    const double step = simulate(scenario).step_s;
    Random random(seed + 77);
    Checkpoint checkpoint = checkpoint_every(random.integer(1, 300));
    // At 1 GB/s written in a hundredth of the interval to three times as long.
    const double interval = static_cast<double>(checkpoint.interval_steps) * step;
    checkpoint.size = Bytes{interval * 1e9 * log_uniform(random, 0.01, 3)};
    if (random.integer(0, 2) > 0) checkpoint.mode = CheckpointMode::asynchronous;
    draw_writing(scenario, checkpoint, random);
    scenario.checkpoint = checkpoint;
    const Result quick = simulate(scenario);
    if (quick.simulated.extrapolated_steps == 0) continue;
    ++compared;
    scenario.run.extrapolate = false;
    const Result full = simulate(scenario);
    CAPTURE(seed);
    const auto count = static_cast<double>(full.checkpoint->count);
    CHECK(quick.checkpoint->count == full.checkpoint->count);
    const double quick_cost = quick.checkpoint->cost_s * count;
    const double full_cost = full.checkpoint->cost_s * count;
    // The cost is known as well as the steps from which it is told.
    const double steps_differ =
        std::abs((quick.training_s - quick_cost) - (full.training_s - full_cost));
    if (2 * steps_differ <= 0.005 * full.training_s) ++exact;
    CHECK(std::abs(quick_cost - full_cost) <= 0.005 * full.training_s + 2 * steps_differ);
  }
  MESSAGE(compared << " machines were compared, " << exact << " with a narrow tolerance");
  CHECK(compared >= costly_draws(15));
  CHECK(exact >= costly_draws(14));
}

TEST_CASE("short epochs with frequent checkpoints are simulated as they are") {
  RandomMachine m = checkpointed_machine();
  m.steps = 6;
  Scenario scenario = saved_every(3, m);
  scenario.workload.get<RunsEpochs>().epochs = 200;
  scenario.loader.cache = CacheRule::none;
  const Result quick = simulate(scenario);
  scenario.run.extrapolate = false;
  const Result full = simulate(scenario);
  CHECK(quick.simulated.extrapolated_steps > 0);
  CHECK(quick.checkpoint->count == 400);
  CHECK(quick.time_to_result_s == approx(full.time_to_result_s).epsilon(0.005));
}

namespace {

/// Over runs with seeds of their own: one run in twenty may lie beyond what is said of it.
double mean_cost_s(Scenario scenario, int runs) {
  double sum = 0;
  for (int run = 1; run <= runs; ++run) {
    scenario.run.seed = 1000 + run;
    sum += simulate(scenario).checkpoint->cost_s;
  }
  return sum / runs;
}

}  // namespace

TEST_CASE("no checkpoint makes a random machine faster, and its time is still spent once") {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(60u); ++seed) {
    Scenario scenario = scenario_of(random_machine(seed));
    scenario.run.precision = {0.005};
    const Result plain = simulate(scenario);
    Random random(seed + 77);
    Checkpoint checkpoint = checkpoint_every(random.integer(1, 100));
    checkpoint.size = Bytes{log_uniform(random, 1e6, 1e10)};
    if (random.integer(0, 1) == 0) checkpoint.mode = CheckpointMode::asynchronous;
    draw_writing(scenario, checkpoint, random);
    scenario.checkpoint = checkpoint;
    const Result result = simulate(scenario);
    CAPTURE(seed);
    const double noise = std::max(0.005, plain.simulated.step_rate_uncertainty) +
                         std::max(0.005, result.simulated.step_rate_uncertainty);
    if (noise <= 0.02 && result.checkpoint->count > 0) ++exact;
    CHECK(result.throughput_samples_per_s <= plain.throughput_samples_per_s * (1 + noise));
    CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + noise));
    CHECK(result.time_to_result_s >= plain.time_to_result_s * (1 - noise));
    const double interval = static_cast<double>(checkpoint.interval_steps) * result.step_s;
    const double most = result.checkpoint->pause_s + result.checkpoint->write_s + noise * interval;
    CHECK((result.checkpoint->cost_s <= most || mean_cost_s(scenario, 16) <= most));
    check_spent_once(result);
  }
  MESSAGE(exact << " machines that saved were compared with a narrow tolerance");
  CHECK(exact >= costly_draws(40));
}
