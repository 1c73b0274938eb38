// SPDX-License-Identifier: Apache-2.0
// Loaders of each style, several at once, and one alone.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
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
  CHECK(four.throughput_samples_per_s == approx(one.throughput_samples_per_s));
  CHECK(four.first_epoch_s == approx(4 * one.first_epoch_s).epsilon(0.01));
  CHECK(four.cache.read_first_epoch_B == approx(4 * one.cache.read_first_epoch_B));
}

TEST_CASE("a loader alone runs at the pace of its narrowest stage, without any GPU") {
  RandomMachine m = ample_machine();
  m.cores = 3;
  m.rate[kDecode] = 500;
  Scenario scenario = scenario_of(m);
  become<kind::Loader>(scenario.workload);
  edit(scenario.system, [](System& system) { system.gpus.clear(); });
  const Result result = simulate(scenario);
  CHECK(result.throughput_samples_per_s == approx(3 * 500).epsilon(0.01));
  CHECK(result.bottleneck.resource == "CPU decode");
}
