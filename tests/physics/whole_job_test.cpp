// SPDX-License-Identifier: Apache-2.0
// What is said of a whole job against a clock on the wall: samples over all its time, by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/random_features.h"
#include "tests/support/unheld.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kRounding = 1e-9;
constexpr double kSamples = 400.0 * 4 * kBatch;  ///< of an epoch
constexpr double kBytes = kSamples * 1e6;
constexpr double kEpoch = 400 * kStep;

/// A job by its parts.
struct ByHand {
  double epochs = 1;
  double staging_s = 0, first_s = kEpoch, later_s = kEpoch, stalls_s = 0;

  double all_s() const { return staging_s + first_s + (epochs - 1) * later_s + stalls_s; }
  double rate() const { return kSamples * epochs / all_s(); }
  double busy() const { return epochs * kEpoch / all_s(); }
};

void check_job(const Result& result, const ByHand& job) {
  CHECK(result.job_samples == std::llround(kSamples * job.epochs));
  CHECK(result.job_samples_per_s == approx(job.rate()).epsilon(0.015));
  CHECK(result.job_gpu_utilization == approx(job.busy()).epsilon(0.015));
  REQUIRE(result.later_epochs_samples_per_s.has_value() == (job.epochs > 1));
  if (job.stalls_s > 0) return;  // epochs are with their checkpoints
  CHECK(result.first_epoch_samples_per_s == approx(kSamples / job.first_s).epsilon(0.015));
  if (job.epochs > 1)
    CHECK(*result.later_epochs_samples_per_s == approx(kSamples / job.later_s).epsilon(0.02));
}

/// Four GPUs that train an epoch in 12.8 s, from a store.
Scenario on_store(double array, std::int64_t epochs, CacheRule cache) {
  RandomMachine m = four_ample_gpus();
  m.store = true;
  m.rate[kArray] = array;
  m.sample_size = 1e6;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = epochs;
  scenario.loader.cache = cache;
  scenario.loader.cache_memory = Bytes{2 * kBytes};
  return scenario;
}

Scenario staged(StagingMode mode, std::int64_t epochs) {
  RandomMachine m = four_ample_gpus();
  m.rate[kArray] = 1e9;
  m.sample_size = 1e6;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = epochs;
  Staging staging;
  staging.from = part(scenario, "nas");
  staging.mode = mode;
  scenario.data.staging = staging;
  return scenario;
}

}  // namespace

TEST_CASE("the job's rate counts the copy-in, before training or in its first epoch") {
  for (const std::int64_t epochs : {1, 3}) {
    CAPTURE(epochs);
    const ByHand before{.epochs = static_cast<double>(epochs), .staging_s = kBytes / 1e9};
    check_job(simulate(staged(StagingMode::before, epochs)), before);
    const ByHand meanwhile{.epochs = static_cast<double>(epochs), .first_s = kBytes / 1e9};
    check_job(simulate(staged(StagingMode::first_epoch, epochs)), meanwhile);
  }
}

TEST_CASE("the job's rate counts the first epoch, whose page cache is cold") {
  for (const double array : {1e9, 3e9, 1e11})
    for (const std::int64_t epochs : {1, 2, 5}) {
      CAPTURE(array);
      CAPTURE(epochs);
      const Result result = simulate(on_store(array, epochs, CacheRule::lru));
      check_job(result, {.epochs = static_cast<double>(epochs),
                         .first_s = std::max(kEpoch, kBytes / array)});
      if (epochs > 1) CHECK(result.cache.hit_rate == 1);
      if (epochs == 1)
        CHECK(result.job_samples_per_s ==
              approx(result.first_epoch_samples_per_s).epsilon(kRounding));
    }
}

TEST_CASE("without a page cache every epoch is a first one") {
  check_job(simulate(on_store(2e9, 3, CacheRule::none)),
            {.epochs = 3, .first_s = kBytes / 2e9, .later_s = kBytes / 2e9});
}

TEST_CASE("the job's rate counts the stalls of checkpoints") {
  RandomMachine m = checkpointed_machine();
  const double steps = static_cast<double>(m.steps);
  for (const std::int64_t every : {50, 100, 200}) {
    CAPTURE(every);
    const Result result = simulate(saved_every(every, m));
    // Copied from the GPU, then written to two drives.
    const double stall = kSize / kGpuBus + kSize / (2 * kWrite);
    const double all = steps * kStep + std::floor(steps / static_cast<double>(every)) * stall;
    CHECK(result.job_samples_per_s == approx(steps * 4 * kBatch / all).epsilon(0.01));
    CHECK(result.job_gpu_utilization == approx(steps * kStep / all).epsilon(0.01));
    REQUIRE(result.storage_demand);
    REQUIRE(result.storage_demand->checkpoint_write_Bps);
    CHECK(*result.storage_demand->checkpoint_write_Bps == approx(2 * kWrite).epsilon(0.02));
  }
}

TEST_CASE("a checkpoint of a first epoch that waits for its store costs what loaders cannot hide") {
  // While GPUs stand still, the store goes on until the loaders hold all batches that they may: for
  // each GPU eight fetched ahead and two that lie with it, of 32 MB.
  constexpr double kStock = 4 * 10 * kBatch * 1e6;
  constexpr double kStall = kSize / kGpuBus + kSize / (2 * kWrite);
  for (const double array : {1e9, 2e9, 3e9})
    for (const std::int64_t every : {100, 50}) {
      CAPTURE(array);
      CAPTURE(every);
      Scenario scenario = on_store(array, 3, CacheRule::lru);
      set_drives(scenario, 1e10, kWrite);
      scenario.checkpoint = checkpoint_every(every);
      scenario.checkpoint->at = part(scenario, "scratch");
      const double saves = 400 / static_cast<double>(every);
      const double shown = std::max(0.0, kStall - kStock / array);
      const ByHand job{
          .epochs = 3, .first_s = kBytes / array, .stalls_s = saves * shown + 2 * saves * kStall};
      const Result result = simulate(scenario);
      CHECK(result.checkpoint->count == std::llround(3 * saves));
      check_job(result, job);
      // What a later epoch takes with its checkpoints.
      REQUIRE(result.later_epochs_samples_per_s);
      CHECK(*result.later_epochs_samples_per_s ==
            approx(kSamples / (kEpoch + saves * kStall)).epsilon(0.02));
    }
}

TEST_CASE("cost of a million samples is that of the job, and so is what waits") {
  Scenario scenario = staged(StagingMode::before, 3);
  scenario.cost.rent_per_hour = Money{36};
  const Result result = simulate(scenario);
  REQUIRE(result.running_cost);
  CHECK(*result.running_cost->job_per_million_samples_USD ==
        approx(0.01 * 1e6 / result.job_samples_per_s).epsilon(kRounding));
  CHECK(*result.running_cost->job_per_million_samples_USD >
        1.5 * *result.running_cost->per_million_samples_USD);
  CHECK(*result.running_cost->gpus_waiting_USD == approx(0.01 * (kBytes / 1e9)).epsilon(0.02));
}

TEST_CASE("storage must give what GPUs that never wait read, cold and warm, and more at the peak") {
  // 4,000 samples/s of 1 MB.
  const Result slow = simulate(on_store(1e9, 3, CacheRule::lru));
  REQUIRE(slow.storage_demand);
  CHECK(slow.storage_demand->read_first_epoch_Bps == approx(4e9).epsilon(1e-6));
  CHECK(slow.storage_demand->read_later_epochs_Bps.value() == 0);
  CHECK(slow.storage_demand->read_peak_Bps >= slow.storage_demand->read_first_epoch_Bps);
  CHECK_FALSE(slow.storage_demand->checkpoint_write_Bps);
  Scenario half = on_store(1e9, 3, CacheRule::pinned);
  half.loader.cache_memory = Bytes{kBytes / 2};
  CHECK(simulate(half).storage_demand->read_later_epochs_Bps.value() == approx(2e9).epsilon(0.01));
  CHECK_FALSE(simulate(on_store(1e9, 1, CacheRule::lru)).storage_demand->read_later_epochs_Bps);
}

TEST_CASE("with a cold page cache storage binds sooner: the first epoch has a limit of its own") {
  const Result cold = simulate(on_store(1e9, 3, CacheRule::lru));
  CHECK(cold.storage_limit_first_epoch_bytes_per_gpu_second == approx(1e9 / 4).epsilon(1e-6));
  CHECK(std::isinf(cold.storage_limit_bytes_per_gpu_second));
  const Result none = simulate(on_store(1e9, 3, CacheRule::none));
  CHECK(none.storage_limit_first_epoch_bytes_per_gpu_second ==
        none.storage_limit_bytes_per_gpu_second);
  const Result copied = simulate(staged(StagingMode::first_epoch, 3));
  CHECK(copied.storage_limit_first_epoch_bytes_per_gpu_second == approx(1e9 / 4).epsilon(1e-6));
  CHECK(copied.storage_limit_bytes_per_gpu_second > 2e9 / 4);
}

TEST_CASE("the interval of the job holds its rate, and ends where GPUs wait for nothing else") {
  for (const bool copied : {false, true}) {
    CAPTURE(copied);
    const std::string data =
        copied ? "data = { at = 'scratch', staging = { from = 'nas', mode = 'before' } }\n"
               : "data = { at = 'nas' }\n";
    const Result result = simulate(parse_scenario(
        "system = 'nvidia-dgx-a100'\n" + data +
            "[store.nas]\nmodel = 'linux-nfs-server-10g'\nprotocol = 'nfs-tcp'\n"
            "[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\nprecision = 'fp16'\n"
            "batch_per_gpu = 256\nepochs = 3\n",
        "test.toml", own_catalog()));
    REQUIRE(result.range);
    const Interval80& rate = result.range->job_samples_per_s;
    CHECK(rate.p10 < result.job_samples_per_s);
    CHECK(rate.p90 >= result.job_samples_per_s);
    CHECK(rate.p10 * result.range->time_to_result_s.p90 ==
          approx(static_cast<double>(result.job_samples)).epsilon(1e-6));
    // Not more than in the epochs in which nothing is read.
    CHECK(rate.p90 <= result.range->throughput_samples_per_s.p90);
    CHECK(result.range->job_gpu_utilization.p90 <= 1);
    CHECK(result.range->job_gpu_utilization.p10 < result.job_gpu_utilization);
  }
}

TEST_CASE("no job of any random machine is faster than its bound, nor busier than its time") {
  int cold = 0;
  for (std::uint64_t seed = 1; seed <= draws(150u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = featured_scenario(random_machine(seed), seed);
    scenario.workload.get<RunsEpochs>().epochs = 1 + static_cast<std::int64_t>(seed % 3);
    const Plan plan = make_plan(scenario);
    const auto [result, unheld] = simulate_with_unheld(scenario);
    check_unheld(result, unheld, scenario.run.precision);
    Plan first = plan;
    first.epochs = 1;
    const double in_first =
        plan.global_batch() * static_cast<double>(std::min(plan.steps, plan.steps_per_epoch));
    const double samples = plan.global_batch() * static_cast<double>(plan.steps);
    CHECK(static_cast<double>(result.job_samples) == samples);
    CHECK(result.job_samples_per_s * result.time_to_result_s == approx(samples).epsilon(kRounding));
    const double first_rate = throughput_bound(first).rate.value;
    CHECK(result.first_epoch_samples_per_s <= first_rate * (1 + kRounding));
    const double least = result.staging_s + in_first / first_rate +
                         (samples - in_first) / result.bound.samples_per_s;
    CHECK(result.job_samples_per_s <= samples / least * (1 + kRounding));
    CHECK(result.job_samples_per_s <= result.bound.samples_per_s * (1 + kRounding));
    CHECK(result.job_gpu_utilization <= 1 + kRounding);
    CHECK(result.job_gpu_utilization >= 0);
    if (plan.steps == plan.steps_per_epoch && result.staging_s == 0)
      CHECK(result.job_samples_per_s ==
            approx(result.first_epoch_samples_per_s).epsilon(kRounding));
    cold += result.first_epoch_s > 1.05 * result.epoch_s && plan.steps > plan.steps_per_epoch;
  }
  MESSAGE(cold << " had a first epoch longer than later ones");
  CHECK(cold >= draws(5));
}
