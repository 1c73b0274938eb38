// SPDX-License-Identifier: Apache-2.0
// Copying the data in while the first epoch reads it, against formulas.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kBytes = 400.0 * 4 * 32 * 1e6;
constexpr double kWrite = 1e9;  ///< of each of two drives

/// Four GPUs that train an epoch of 400 steps in 12.8 s; two drives; a store.
Scenario staged(double array, StagingMode mode) {
  RandomMachine m = four_ample_gpus();
  m.rate[kArray] = array;
  m.sample_size = 1e6;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 3;
  Staging staging;
  staging.from = part(scenario, "nas");
  staging.mode = mode;
  scenario.data.staging = staging;
  return scenario;
}

constexpr double kEpoch = 400 * 32e-3;

}  // namespace

TEST_CASE("the first epoch takes the bytes over the narrower of store and drive writes") {
  const Result slow_store = simulate(staged(1e9, StagingMode::first_epoch));
  CHECK(slow_store.first_epoch_s == approx(kBytes / 1e9).epsilon(0.01));
  const Result slow_drives = simulate(staged(1e11, StagingMode::first_epoch));
  CHECK(slow_drives.first_epoch_s == approx(kBytes / (2 * kWrite)).epsilon(0.01));
  Scenario limited = staged(1e11, StagingMode::first_epoch);
  limited.data.staging->rate = Bandwidth{5e8};
  CHECK(simulate(limited).first_epoch_s == approx(kBytes / 5e8).epsilon(0.01));
}

TEST_CASE("later epochs read from the drives, and training starts at once") {
  const Result before = simulate(staged(1e9, StagingMode::before));
  const Result meanwhile = simulate(staged(1e9, StagingMode::first_epoch));
  CHECK(before.staging == "before");
  CHECK(meanwhile.staging == "first-epoch");
  CHECK(meanwhile.staging_s == 0);
  CHECK(meanwhile.epoch_s == approx(kEpoch).epsilon(0.02));
  CHECK(before.time_to_first_result_s > kBytes / 1e9);
  CHECK(meanwhile.time_to_first_result_s < 5);
  CHECK(before.time_to_result_s == approx(kBytes / 1e9 + 3 * kEpoch).epsilon(0.01));
  CHECK(meanwhile.time_to_result_s == approx(kBytes / 1e9 + 2 * kEpoch).epsilon(0.01));
}

TEST_CASE("later epochs read from the drives even where no page cache holds anything") {
  Scenario scenario = staged(1e9, StagingMode::first_epoch);
  scenario.loader.cache = CacheRule::none;
  const Result result = simulate(scenario);
  CHECK(result.first_epoch_s == approx(kBytes / 1e9).epsilon(0.01));
  CHECK(result.epoch_s == approx(kEpoch).epsilon(0.02));
  CHECK(result.stages.front().stage == fact<LimiterCode::drives>());
}

TEST_CASE("an only epoch reads from the store") {
  Scenario scenario = staged(1e9, StagingMode::first_epoch);
  scenario.workload.get<RunsEpochs>().epochs = 1;
  const Result result = simulate(scenario);
  CHECK(result.time_to_result_s == approx(kBytes / 1e9).epsilon(0.01));
  CHECK(result.stages.front().stage == fact<LimiterCode::store>());
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * 1.005);
}

TEST_CASE("checkpoints are written beside what is copied in") {
  Scenario scenario = staged(1e11, StagingMode::first_epoch);
  Checkpoint checkpoint;
  checkpoint.interval_steps = 100;
  checkpoint.size = Bytes{4e9};
  checkpoint.sync = true;
  scenario.checkpoint = checkpoint;
  const Result result = simulate(scenario);
  // Every byte of the data and of four checkpoints is written in the first epoch.
  CHECK(result.first_epoch_s == approx((kBytes + 4 * 4e9) / (2 * kWrite)).epsilon(0.05));
  const double pause = 4e9 / 1e11 + 4e9 / (2 * kWrite);
  CHECK(result.epoch_s == approx(kEpoch + 4 * pause).epsilon(0.02));
  CHECK(result.checkpoint->count == 12);
}
