// SPDX-License-Identifier: Apache-2.0
// What the process of a GPU waits for when it takes a batch over from a worker.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"
#include "tests/support/kinds.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

struct Pipeline {
  std::size_t workers = 2;
  double cores = 2;
  double make = 32e-3;  ///< of a core, for a batch
  double take = 0;      ///< of a core, in the process
  double wait = 0;      ///< before it, where cores are free
  double busy_wait = 0;
  std::size_t prefetch = 2;
};

/// Seconds a batch where workers and a process that takes batches in order share cores, followed in
/// small steps of time.
double period_of(const Pipeline& p) {
  constexpr double kTick = 20e-6;
  constexpr int kBatches = 400;
  std::vector<double> left(p.workers, p.make);
  std::vector<std::size_t> ready(p.workers);
  double waiting = 0, taking = 0, now = 0;
  bool asked = true;
  for (int taken = 0; taken < kBatches; now += kTick) {
    std::size_t running = taking > 0 && waiting <= 0 ? 1 : 0;  // the process
    for (const std::size_t done : ready) running += done < p.prefetch ? 1 : 0;
    const double part = kTick * std::min(1.0, p.cores / static_cast<double>(running));
    for (std::size_t w = 0; w < p.workers; ++w)
      if (ready[w] < p.prefetch && (left[w] -= part) <= 0) left[w] += p.make, ++ready[w];
    std::size_t& next = ready[static_cast<std::size_t>(taken) % p.workers];
    if (waiting > 0) {
      waiting -= kTick;
    } else if (!asked) {  // its answers are there: on which core does it go on?
      const bool busy = static_cast<double>(running) >= p.cores + 1;
      waiting = busy ? p.busy_wait + p.take * (1 - 1 / p.cores) : 0;
      asked = true;
    } else if (taking > 0) {
      if ((taking -= part) <= 0) --next, ++taken;
    } else if (next > 0) {
      waiting = p.wait;
      taking = p.take;
      asked = false;
    }
  }
  return now / kBatches;
}

/// The same as a job that only loads.
Scenario loading(const Pipeline& p) {
  RandomMachine m = exact();
  m.workers = static_cast<std::int64_t>(p.workers);
  m.prefetch = static_cast<std::int64_t>(p.prefetch);
  m.cores = static_cast<std::int64_t>(p.cores);
  m.rate[kDecode] = 32 / p.make;
  m.rate[kDrive] = 1e13;
  m.rate[kDriveLink] = 1e13;
  Scenario scenario = scenario_of(m);
  become<kind::Loader>(scenario.workload);
  scenario.data.mode = ReadMode::direct;
  edit_drives(scenario, [](Drive& drive) { drive.read_latency = {}; });
  scenario.loader.take_over_time = Seconds{p.take};
  scenario.loader.take_over_wait = Seconds{p.wait};
  scenario.loader.take_over_busy_wait = Seconds{p.busy_wait};
  return scenario;
}

double simulated_period(const Pipeline& p) {
  return 32 / simulate(loading(p)).throughput_samples_per_s;
}

}  // namespace

TEST_CASE("a process waits for a worker's answers before it takes a batch, and for cores if busy") {
  for (const double take : {2e-3, 6e-3})
    for (const double wait : {0.3e-3, 3e-3, 12e-3})
      for (const double busy_wait : {0.0, 4e-3, 15e-3})
        for (const std::size_t workers : {1UL, 2UL, 3UL}) {
          Pipeline p;
          p.workers = workers;
          p.take = take;
          p.wait = wait;
          p.busy_wait = busy_wait;
          CAPTURE(take);
          CAPTURE(wait);
          CAPTURE(busy_wait);
          CAPTURE(workers);
          CHECK(simulated_period(p) == approx(period_of(p)).epsilon(0.03));
        }
}

TEST_CASE("waiting to take over holds a job back though cores rest, and the process is named") {
  Pipeline p;
  p.workers = 4;
  p.cores = 8;
  p.take = 5e-3;
  p.wait = 10e-3;
  p.busy_wait = 50e-3;  // never: half of the cores rest
  const Result result = simulate(loading(p));
  CHECK(result.throughput_samples_per_s == about(32 / 15e-3, 0.01));
  CHECK(result.bottleneck.resource == fact<LimiterCode::loader_process>());
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
}

TEST_CASE("without pinned memory a GPU waits for it between two steps") {
  const auto step_of = [](Seconds wait) {
    RandomMachine m = exact();
    m.workers = 4;
    Scenario scenario = scenario_of(m);
    scenario.loader.pinned_memory = false;
    scenario.loader.take_over_time = Seconds{1e-3};
    scenario.loader.take_over_wait = wait;
    return 32 / rate_of(scenario);
  };
  CHECK(step_of(Seconds{7e-3}) - step_of({}) == approx(7e-3).epsilon(0.02));
}
