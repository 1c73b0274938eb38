// SPDX-License-Identifier: Apache-2.0
// Loaders of each style, several at once, and one alone.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"
#include "tests/support/kinds.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("TensorFlow's readers share a batch; PyTorch's workers take one each") {
  RandomMachine m = exact();
  m.rate[kDecode] = 1e3;
  m.workers = 4;
  Scenario scenario = scenario_of(m);
  const double one = 32 * (kReadLatency + 1e5 / 1e10 + 1e-3);
  // The first batch of each of the four workers is read at the same time.
  CHECK(first_step(scenario) == approx(one + 3 * 32 * 1e5 / 1e10 + kCopyAndCompute).epsilon(1e-4));
  scenario.loader.style = LoaderStyle::tensorflow;
  CHECK(first_step(scenario) == approx(one / 4 + kCopyAndCompute).epsilon(0.01));
}

TEST_CASE("jobs on one machine share its GPUs, and each goes through all the data") {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  Scenario scenario = scenario_of(m);
  scenario.loader.cache = CacheRule::none;
  const Result one = simulate(scenario);
  scenario.loader.jobs = 4;
  const Result four = simulate(scenario);
  CHECK(steady_of(four) == approx(steady_of(one)));
  CHECK(four.first_epoch_s == approx(4 * one.first_epoch_s).epsilon(0.01));
  CHECK(four.cache.read_first_epoch_B == approx(4 * one.cache.read_first_epoch_B));
}

// Whoever comes to a file first fetches it for all: as many bytes as the set has, 400 steps of 32
// samples of 100 kB for each of the four, at the rate of the drive.
TEST_CASE("jobs side by side fetch the data set once in their first epoch, where memory holds it") {
  RandomMachine m = ample_machine();
  m.gpus = 4;
  m.rate[kDrive] = 5e6;  // so slow that GPUs wait for all but the last misses
  Scenario scenario = scenario_of(m);
  scenario.loader.jobs = 4;
  const double data = 4 * 400.0 * 32 * 1e5;
  for (const std::int64_t epochs : {1, 3}) {
    scenario.workload.get<RunsEpochs>().epochs = epochs;
    const Result result = simulate(scenario);
    CAPTURE(epochs);
    CHECK(result.cache.read_first_epoch_B == approx(data));
    CHECK(result.first_epoch_s == approx(data / 5e6).epsilon(0.05));
  }
}

TEST_CASE("a loader alone runs at the pace of its narrowest stage, without any GPU") {
  RandomMachine m = ample_machine();
  m.cores = 3;
  m.rate[kDecode] = 500;
  Scenario scenario = scenario_of(m);
  become<kind::Loader>(scenario.workload);
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == approx(3 * 500).epsilon(0.01));
  CHECK(result.bottleneck.resource == fact<LimiterCode::cpu_decode>());
}
