// SPDX-License-Identifier: Apache-2.0
// A benchmark that stands in for GPUs, by its own rules.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"
#include "tests/support/kinds.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Accelerators that read from memory, so that they never wait; each sleeps 40 ms a step.
Scenario sleepers(std::int64_t count, std::int64_t cores) {
  RandomMachine m = exact();
  m.workers = 4;
  m.cores = cores;
  Scenario scenario = scenario_of(m);
  auto job = named<Job>("bench");
  job.dataset = scenario.workload.dataset();
  job.accelerator = "H100";
  job.batch = 32;
  job.compute_time = 40_ms;
  auto& own = become<kind::Emulated>(scenario.workload);
  own.job = ref(job);
  own.gpus = count;
  scenario.loader.cache = CacheRule::none;
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.samples = 2000 * count * 32; });
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  return scenario;
}

}  // namespace

TEST_CASE("an emulated benchmark is scored by its own rules") {
  Scenario scenario = sleepers(2, exact().cores);
  edit(*scenario.workload.get<kind::Emulated>().job, [](Job& job) {
    job.step_overhead = 2_ms;
    job.threshold = {0.9};
  });
  edit(scenario.workload.dataset(),
       [](Dataset& dataset) { dataset.samples = std::int64_t{50} * 2 * 32; });
  const Result result = simulate(scenario);
  REQUIRE(result.benchmark);
  const double step = 40e-3 + 2e-3;
  // The eight workers of both read at once.
  const double fill = 32 * (kReadLatency + 8 * 1e5 / 1e10 + kDecodeTime);
  const double epoch = fill + 50 * step;
  CHECK(result.benchmark->first_step_s == approx(fill + step).epsilon(0.02));
  CHECK(result.benchmark->utilization_v1 ==
        approx(49 * 40e-3 / (epoch - fill - step)).epsilon(1e-3));
  CHECK(result.benchmark->throughput_v1_samples_per_s == approx(50 * 2 * 32 / epoch).epsilon(1e-3));
  CHECK(result.benchmark->throughput_later_samples_per_s ==
        approx(48 * 2 * 32 / (epoch - fill - step)).epsilon(1e-3));
  CHECK(result.benchmark->passes);
}

TEST_CASE("a bound of a benchmark names no exchange, for none is emulated") {
  Scenario scenario = sleepers(4, exact().cores);
  edit(*scenario.workload.get<kind::Emulated>().job,
       [](Job& job) { job.step_jitter = Ratio{0.05}; });
  for (const Limiter& limit : simulate(scenario).bound.cut) {
    CHECK(limit.code != LimiterCode::compute_and_exchange);
    CHECK(limit.code != LimiterCode::decode_compute_and_exchange);
  }
}

TEST_CASE("emulated accelerators use all network cards of their socket") {
  RandomMachine m = exact();
  m.rate[kNicPort] = 1e9;
  m.sockets = 2;
  m.nics = 4;
  m.workers = 4;
  m.prefetch = 4;
  m.store = true;
  m.steps = 1000;
  Scenario scenario = scenario_of(m);
  auto job = named<Job>("bench");
  job.dataset = scenario.workload.dataset();
  job.accelerator = "H100";
  job.batch = 32;
  job.compute_time = 4_ms;
  become<kind::Emulated>(scenario.workload).job = ref(job);
  scenario.loader.cache = CacheRule::none;
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples = 256'000; });
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  for (const std::int64_t count : {4, 8}) {
    CAPTURE(count);
    scenario.workload.get<FeedsGpus>().gpus = count;
    // A card brings 32 samples of 100 kB in 3.2 ms: enough for one accelerator, not for two.
    const double step = std::max(4e-3, static_cast<double>(count) / 4 * 32 * 1e5 / 1e9);
    CHECK(simulate(scenario).step_s == approx(step).epsilon(0.01));
  }
}

TEST_CASE("steps of accelerators vary by the root of those that a core serves, and all wait") {
  // The largest of four standard normal numbers is 1.029 in the mean.
  for (const std::int64_t cores : {64, 4}) {
    CAPTURE(cores);
    Scenario scenario = sleepers(4, cores);
    scenario.workload.get<kind::Emulated>().step_jitter = Ratio{0.04};
    const double late = 40e-3 * 0.04 * std::sqrt(4.0 / static_cast<double>(cores)) * 1.029;
    CHECK(simulate(scenario).step_s - 40e-3 == approx(late).epsilon(0.1));
  }
}

TEST_CASE("nothing pins memory for a timer: it takes each batch over before it sleeps") {
  Scenario scenario = sleepers(1, 64);
  CHECK(simulate(scenario).step_s == approx(40e-3).epsilon(1e-3));
  scenario.loader.take_over_time = 5_ms;
  CHECK(simulate(scenario).step_s == approx(40e-3 + 5e-3).epsilon(1e-3));
}

TEST_CASE("an epoch of a benchmark starts so much later, beside what its readers take") {
  Scenario scenario = sleepers(1, 64);
  const Result at_once = simulate(scenario);
  edit(*scenario.workload.get<kind::Emulated>().job, [](Job& job) { job.epoch_start = 300_ms; });
  const Result later = simulate(scenario);
  CHECK(later.benchmark->first_step_s - at_once.benchmark->first_step_s == approx(0.3));
  CHECK(later.benchmark->utilization_v1 == approx(at_once.benchmark->utilization_v1));
  CHECK(later.time_to_result_s - at_once.time_to_result_s == approx(0.3).epsilon(1e-3));
}
