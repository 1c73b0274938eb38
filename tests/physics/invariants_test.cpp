// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/random_features.h"
#include "tests/support/run_all.h"
#include "tests/support/unheld.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr std::uint64_t kMachines = draws(500);
constexpr double kRounding = 1e-9;
constexpr double kExact = 0.005;  ///< noise with which a comparison still says something

/// What the throughput may be off by: twice the uncertainty that the result states, which is
/// infinite where so few steps tell nothing. `exact` counts the comparisons that say something.
double noise_of(const Result& result) {
  return std::max(0.002, 2 * result.simulated.step_rate_uncertainty);
}

Result within_bound(const Scenario& scenario) {
  const auto [result, unheld] = simulate_with_unheld(scenario);
  check_unheld(result, unheld, scenario.run.precision);
  return result;
}

/// Whether one stage is far below all others. Compute and exchange follow one another, and so do
/// copies in order: two, where both take time.
bool one_limit_alone(const Result& result) {
  std::vector<double> limits;
  for (const auto& stage : result.stages) limits.push_back(stage.capacity_samples_per_s);
  std::ranges::sort(limits);
  return limits[1] >= 3 * limits[0] &&
         result.bound.cut.front().code != LimiterCode::compute_and_exchange &&
         result.bound.cut.back().code != LimiterCode::before_step;
}

/// Whether readers share a store unevenly and none of them alone could easily take all of it:
/// while those that are ahead rest, part of it lies idle.
bool starves_a_reader(const Plan& plan, const Result& result) {
  const auto differs = [&](const GpuPlan& gpu) {
    return gpu.share.eighths != plan.gpus.front().share.eighths;
  };
  const Stage* const workers = stage_of(result, LimiterCode::loader_workers);
  REQUIRE(workers);
  return std::ranges::any_of(plan.gpus, differs) &&
         workers->capacity_samples_per_s / static_cast<double>(plan.gpus.size()) <
             3 * result.bound.samples_per_s;
}

}  // namespace

TEST_CASE("no random machine is faster than its bound, nor slower than its one narrow resource") {
  int alone = 0, exact = 0;
  for (std::uint64_t seed = 1; seed <= kMachines; ++seed) {
    CAPTURE(seed);
    const Result result = within_bound(scenario_of(random_machine(seed)));
    const double noise = noise_of(result);
    if (noise <= kExact) ++exact;
    if (!one_limit_alone(result)) continue;
    ++alone;
    CHECK(steady_of(result) >= result.bound.samples_per_s * (0.98 - noise));
  }
  MESSAGE(alone << " machines had one narrow resource, " << exact << " a narrow tolerance");
  CHECK(alone >= draws(50));
  CHECK(exact >= draws(300));
}

TEST_CASE("both engines find the same throughput on random machines and clusters") {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= draws(60u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = seed % 2 == 0 ? featured_scenario(random_machine(seed), seed)
                                      : cluster_of(random_machine(seed), seed);
    scenario.run.engine = EngineKind::simgrid;
    const Result simgrid = simulate(scenario);
    CHECK(simgrid.engine == "simgrid");
    scenario.run.engine = EngineKind::fluid;
    const Result fluid = simulate(scenario);
    CHECK(fluid.engine == "fluid");
    const double noise = noise_of(simgrid) + noise_of(fluid);
    if (noise <= 2 * kExact) ++exact;
    CHECK(fluid.throughput_samples_per_s ==
          approx(simgrid.throughput_samples_per_s).epsilon(noise));
  }
  MESSAGE(exact << " were compared with a narrow tolerance");
  CHECK(exact >= draws(25));
}

TEST_CASE("no random cluster is faster than its bound, whatever exchanges its gradients") {
  int exact = 0, exchanged = 0;
  for (std::uint64_t seed = 1; seed <= draws(150u); ++seed) {
    CAPTURE(seed);
    const Scenario scenario = cluster_of(random_machine(seed), seed);
    const Plan plan = make_plan(scenario);
    const Result result = within_bound(scenario);
    const double noise = noise_of(result);
    if (noise <= kExact) ++exact;
    check_spent_once(result);
    // What a collective algorithm must send at least, over all ranks: 2 (N-1)/N of the gradients.
    const double ranks = static_cast<double>(plan.gpus.size());
    const double gradients = 4 * static_cast<double>(scenario.workload.model()->parameters);
    if (!result.exchange) continue;
    ++exchanged;
    CHECK(result.exchange->sent_B >= gradients * 2 * (ranks - 1) / ranks * (1 - 1e-9));
  }
  MESSAGE(exact << " had a narrow tolerance, " << exchanged << " exchanged gradients");
  CHECK(exact >= draws(50));
  CHECK(exchanged >= draws(130));
}

TEST_CASE("nor is one whose gradients and batches a slow memory carries") {
  int through_memory = 0;
  for (std::uint64_t seed = 1; seed <= draws(200u); ++seed) {
    CAPTURE(seed);
    RandomMachine m = random_machine(seed);
    m.rate[kMemory] /= 20;
    m.exchange = true;
    m.nvlink = false;
    m.gpus = std::max<std::int64_t>(m.gpus, 2);
    m.batch = 1 + m.batch / 16;
    Scenario scenario = scenario_of(m);
    edit(scenario.system, [](System& system) { system.peer_to_peer = false; });
    const Result result = within_bound(scenario);
    if (result.bound.cut == std::vector{fact<LimiterCode::compute_and_exchange>()})
      ++through_memory;
  }
  MESSAGE(through_memory << " were held back by gradients");
  CHECK(through_memory >= draws(50));
}

TEST_CASE("more of one random rate never costs throughput") {
  int exact = 0;
  const auto too_few = [&] { return exact < draws(300); };
  for (std::uint64_t seed = 1; seed <= kMachines || (too_few() && seed <= 500); ++seed) {
    RandomMachine machine = random_machine(seed);
    const Result before = simulate(scenario_of(machine));
    Random random(seed + 1000000);
    const auto which = static_cast<std::size_t>(random.integer(0, kRates - 1));
    const double factor = random.uniform(1.05, 4);
    machine.rate[which] *= factor;
    const Result after = simulate(scenario_of(machine));
    CAPTURE(seed);
    CAPTURE(which);
    CAPTURE(factor);
    // Where 300 steps do not suffice for the precision, their own uncertainty comes on top.
    const double noise =
        before.simulated.step_rate_uncertainty + after.simulated.step_rate_uncertainty;
    REQUIRE(std::isfinite(noise));
    if (noise <= 0.002) ++exact;
    CHECK(after.throughput_samples_per_s >=
          (1 - std::max(0.005, noise)) * before.throughput_samples_per_s);
  }
  MESSAGE(exact << " machines were compared at the full precision");
  CHECK_FALSE(too_few());
}

TEST_CASE("nor is one with all mechanisms, and one narrow resource is used in full") {
  int alone = 0, exact = 0;
  for (std::uint64_t seed = 1; seed <= draws(450u); ++seed) {
    const Scenario scenario = featured_scenario(random_machine(seed), seed);
    const Plan plan = make_plan(scenario);
    CAPTURE(seed);
    const Result result = within_bound(scenario);
    const double noise = noise_of(result);
    if (noise <= kExact) ++exact;
    if (!one_limit_alone(result) || starves_a_reader(plan, result)) continue;
    if (plan.copies_in_order || plan.waits_for_gpus()) continue;  // links rest while GPUs compute
    ++alone;
    // Files lie on drives by chance: N readers keep D drives busy for N / (N + D - 1) of the time
    // (closed queueing network of equal exponential servers).
    const double readers = static_cast<double>(static_cast<std::int64_t>(plan.gpus.size()) *
                                               plan.loader.batches_at_once);
    const double drives = static_cast<double>(plan.sources.size());
    const double busy = plan.whole_files ? readers / (readers + drives - 1) - 0.05 : 0.98;
    if (result.steady_samples_per_s)
      CHECK(*result.steady_samples_per_s >= result.bound.samples_per_s * (busy - noise));
  }
  MESSAGE(alone << " machines had one narrow resource, " << exact << " a narrow tolerance");
  CHECK(alone >= draws(80));
  CHECK(exact >= draws(200));
}

TEST_CASE("with all mechanisms, too, more of one random rate never costs throughput") {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= draws(300u); ++seed) {
    RandomMachine machine = random_machine(seed);
    const Result before = simulate(featured_scenario(machine, seed));
    Random random(seed + 9000);
    machine.rate[static_cast<std::size_t>(random.integer(0, kRates - 1))] *=
        random.uniform(1.05, 3);
    const Result after = simulate(featured_scenario(machine, seed));
    CAPTURE(seed);
    const double noise =
        before.simulated.step_rate_uncertainty + after.simulated.step_rate_uncertainty;
    if (noise <= 0.005) ++exact;  // no more than what is allowed anyhow
    CHECK(after.throughput_samples_per_s >=
          (1 - std::max(0.005, noise)) * before.throughput_samples_per_s);
  }
  MESSAGE(exact << " machines were compared at the full precision");
  CHECK(exact >= draws(140));
}

TEST_CASE("every byte of every batch is read once") {
  for (std::uint64_t seed = 1; seed <= draws(50u); ++seed) {
    RandomMachine machine = random_machine(seed);
    machine.deviation = 0;
    machine.steps = 20;
    const Plan plan = make_plan(scenario_of(machine));
    const Record record = run_all(plan, *make_simgrid_engine(), seed);
    CAPTURE(seed);
    CHECK(record.steps == machine.steps);
    CHECK(record.batches_read == machine.steps * machine.gpus);
    const double bytes =
        static_cast<double>(machine.steps * machine.gpus * machine.batch) * machine.sample_size;
    CHECK(record.read.value == approx(bytes).epsilon(1e-12));
  }
}

TEST_CASE("the time of every GPU is spent once") {
  for (std::uint64_t seed = 1; seed <= draws(50u); ++seed) {
    CAPTURE(seed);
    check_spent_once(simulate(scenario_of(random_machine(seed))));
  }
}

TEST_CASE("the same scenario and seed give the same result, whatever ran before") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Scenario scenario = scenario_of(random_machine(seed));
    const Result first = simulate(scenario);
    simulate(scenario_of(random_machine(seed + 1)));
    const Result second = simulate(scenario);
    CHECK(first.throughput_samples_per_s == second.throughput_samples_per_s);
    CHECK(first.time_to_result_s == second.time_to_result_s);
    CHECK(first.accelerator_utilization == second.accelerator_utilization);
  }
}
