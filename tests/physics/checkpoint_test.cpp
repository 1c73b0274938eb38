// SPDX-License-Identifier: Apache-2.0
// Checkpoints against their formulas.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kLink = 1e-6;    ///< latency of each link of the machines here
constexpr double kWrite = 1e9;    ///< of each drive
constexpr double kGpuBus = 1e11;  ///< of each GPU
constexpr double kStep = 32e-3;   ///< 32 samples at 1000 a second
constexpr double kSize = 4e9;

/// Four GPUs that never wait, two drives.
RandomMachine ample() {
  RandomMachine m = four_ample_gpus();
  m.rate[kGpuLink] = kGpuBus;
  m.steps = 2000;
  return m;
}

Checkpoint checkpoint_every(std::int64_t steps) {
  Checkpoint checkpoint;
  checkpoint.interval_steps = steps;
  checkpoint.size = Bytes{kSize};
  return checkpoint;
}

Scenario saved_every(std::int64_t steps, const RandomMachine& m = ample()) {
  Scenario scenario = scenario_of(m);
  scenario.checkpoint = checkpoint_every(steps);
  return scenario;
}

/// Drives that all read and write so fast.
void set_drives(Scenario& scenario, double read, double write) {
  edit_drives(scenario, [&](Drive& drive) {
    drive.read_bandwidth = {read};
    drive.write_bandwidth = {write};
  });
}

void set_array_write(Scenario& scenario, double rate) {
  edit(scenario.store["nas"].model, [&](Array& array) { array.write_bandwidth = Bandwidth{rate}; });
}

/// Who writes, and where to.
void draw_writing(Scenario& scenario, Checkpoint& checkpoint, Random& random) {
  if (random.integer(0, 1) == 0) checkpoint.writers = CheckpointWriters::all;
  if (random.integer(0, 2) == 0) checkpoint.at.id = "nas";
  set_array_write(scenario, log_uniform(random, 2e8, 1e10));
}

/// One GPU that waits for one drive, which four workers keep reading.
Scenario starving(double read, double write) {
  RandomMachine m = ample();
  m.gpus = 1;
  m.drives = 1;
  m.rate[kCompute] = 1e6;
  m.rate[kDecode] = 1e7;
  m.sample_size = 1e7;
  Scenario scenario = scenario_of(m);
  set_drives(scenario, read, write);
  scenario.data.mode = ReadMode::direct;
  return scenario;
}

}  // namespace

TEST_CASE("a synchronous checkpoint by one writer: copy from the GPU, then size over drives") {
  const Scenario scenario = saved_every(100);
  const Result result = simulate(scenario);
  REQUIRE(result.checkpoint);
  const CheckpointUse& use = *result.checkpoint;
  // Reads go on until the prefetched batches are complete: 8 of a GPU at most.
  const double reads = 4 * 8 * 32 * 1e5 / (2 * 1e10);
  const double write = kSize / (2 * kWrite);
  CHECK(use.count == 20);
  CHECK(use.size_B == kSize);
  CHECK(use.write_s >= write);
  CHECK(use.write_s <= write + reads);
  CHECK(use.pause_s == doctest::Approx(2 * kLink + kSize / kGpuBus + use.write_s).epsilon(1e-5));
  CHECK(use.cost_s == doctest::Approx(use.pause_s).epsilon(1e-3));
  const double period = 100 * kStep + use.pause_s;
  CHECK(result.throughput_samples_per_s == doctest::Approx(100 * 128 / period).epsilon(1e-3));
  CHECK(result.step_s == doctest::Approx(kStep).epsilon(1e-9));
  CHECK(result.gpus.front().share.checkpoint ==
        doctest::Approx(use.pause_s / period).epsilon(1e-3));
  CHECK(result.accelerator_utilization == doctest::Approx(100 * kStep / period).epsilon(1e-3));
  CHECK(use.share == doctest::Approx(use.pause_s / period).epsilon(2e-3));
  Scenario without = scenario;
  without.checkpoint.reset();
  const Result plain = simulate(without);
  CHECK(result.time_to_result_s ==
        doctest::Approx(plain.time_to_result_s + 20 * use.cost_s).epsilon(1e-6));
  CHECK(result.epoch_s == doctest::Approx(plain.epoch_s + 20 * use.cost_s).epsilon(1e-6));
  CHECK(result.time_to_first_result_s ==
        doctest::Approx(plain.time_to_first_result_s).epsilon(1e-6));
  CHECK_FALSE(plain.checkpoint);
}

TEST_CASE("where all write, their copies go on side by side, and their pieces share the drives") {
  RandomMachine m = ample();
  m.rate[kGpuLink] = 1e9;
  Scenario scenario = saved_every(200, m);
  const double write = kSize / (2 * kWrite);
  CHECK(simulate(scenario).checkpoint->pause_s ==
        doctest::Approx(kSize / 1e9 + write).epsilon(0.01));
  scenario.checkpoint->writers = CheckpointWriters::all;
  CHECK(simulate(scenario).checkpoint->pause_s ==
        doctest::Approx(kSize / 4 / 1e9 + write).epsilon(0.01));
}

TEST_CASE("a checkpoint onto a store is limited by the store, or by the network cards in use") {
  RandomMachine m = ample();
  m.nics = 2;
  m.rate[kNicPort] = 1e9;
  Scenario scenario = saved_every(200, m);
  scenario.checkpoint->at.id = "nas";
  set_array_write(scenario, 1e11);
  const double copy = 2 * kLink + kLink + kSize / kGpuBus;
  CHECK(simulate(scenario).checkpoint->write_s == doctest::Approx(kSize / 1e9).epsilon(1e-6));
  scenario.checkpoint->writers = CheckpointWriters::all;  // of four GPUs two on each card
  CHECK(simulate(scenario).checkpoint->write_s == doctest::Approx(kSize / 2e9).epsilon(1e-6));
  set_array_write(scenario, 5e8);
  const CheckpointUse use = *simulate(scenario).checkpoint;
  CHECK(use.write_s == doctest::Approx(kSize / 5e8).epsilon(1e-6));
  CHECK(use.pause_s == doctest::Approx(use.write_s + copy).epsilon(0.01));
}

TEST_CASE("an asynchronous checkpoint stops the GPUs only for the copy to host memory") {
  Scenario scenario = saved_every(100);
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  const CheckpointUse use = *simulate(scenario).checkpoint;
  const double reads = 4e3 * 1e5 / (2 * 1e10);  // share of the drives' time
  REQUIRE(use.write_s < 100 * kStep);
  // Batches that are copied in meanwhile pass the same memory for some microseconds.
  CHECK(use.pause_s == doctest::Approx(kLink + kSize / kGpuBus).epsilon(1e-4));
  CHECK(use.write_s == doctest::Approx(kSize / (2 * kWrite) / (1 - reads)).epsilon(0.002));
  CHECK(use.cost_s == doctest::Approx(use.pause_s).epsilon(0.01));
}

TEST_CASE("asynchronous checkpoints too close to one another come as fast as they are written") {
  Scenario scenario = saved_every(10);
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  const Result result = simulate(scenario);
  const double reads = 10 * 128 * 1e5 / (2 * 1e10);  // of one interval, in the drives' time
  const double period = 2 * kLink + kSize / kGpuBus + kSize / (2 * kWrite) + reads;
  REQUIRE(10 * kStep < period);
  CHECK(result.throughput_samples_per_s == doctest::Approx(10 * 128 / period).epsilon(1e-3));
  CHECK(result.checkpoint->pause_s == doctest::Approx(period - 10 * kStep).epsilon(1e-3));
  CHECK(result.bottleneck.resource == "checkpoints");
}

TEST_CASE("reads and a background write share the drive's time") {
  constexpr double kRead = 2e9;
  Scenario scenario = starving(kRead, kWrite);
  scenario.checkpoint = checkpoint_every(450);  // the last one of 2000 steps is written in time
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  const CheckpointUse use = *simulate(scenario).checkpoint;
  // Four reads and one write get the same rate r each: 4 r / R + r / W = 1.
  const double rate = 1 / (4 / kRead + 1 / kWrite);
  const double write = kSize / rate;
  CHECK(use.write_s == doctest::Approx(write).epsilon(0.01));
  CHECK(use.cost_s == doctest::Approx(write * (1 - 4 * rate / kRead)).epsilon(0.02));
}

TEST_CASE("while GPUs stand still, loaders catch up: a checkpoint costs less than its pause") {
  Scenario scenario = starving(2e9, kWrite);
  scenario.store["nas"].via = {{"nic0", {}}};
  set_array_write(scenario, 2e9);
  scenario.checkpoint = checkpoint_every(400);
  scenario.checkpoint->at.id = "nas";
  const CheckpointUse use = *simulate(scenario).checkpoint;
  const double pause = kSize / 2e9 + kSize / kGpuBus;
  const double batch = 32 * 1e7 / 2e9;
  CHECK(use.pause_s == doctest::Approx(pause).epsilon(1e-3));
  // Eight batches are read ahead and two lie on the GPU before the loaders stop.
  CHECK(use.cost_s < pause - 5 * batch);
  CHECK(use.cost_s > pause - 11 * batch);
}

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
    CHECK(quick.simulated.steps < 1000);
    CHECK(full.simulated.extrapolated_steps == 0);
    CHECK(quick.checkpoint->count == full.checkpoint->count);
    CHECK(quick.time_to_result_s == doctest::Approx(full.time_to_result_s).epsilon(0.005));
    CHECK(quick.throughput_samples_per_s ==
          doctest::Approx(full.throughput_samples_per_s).epsilon(0.015));  // start and end in it
    CHECK(quick.gpus.front().share.checkpoint ==
          doctest::Approx(full.gpus.front().share.checkpoint).epsilon(0.02));
  }
}

TEST_CASE("on random machines, too, what checkpoints cost is what they add where they fall") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMachine m = random_machine(seed);
    m.steps = 1500;
    Scenario scenario = featured_scenario(m, seed);
    if (!scenario.workload.is<kind::Training>()) continue;
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
    CHECK(std::abs(quick_cost - full_cost) <= 0.005 * full.training_s + 2 * steps_differ);
  }
  MESSAGE(compared << " machines were compared");
  CHECK(compared >= 15);
}

TEST_CASE("short epochs with frequent checkpoints are simulated as they are") {
  RandomMachine m = ample();
  m.steps = 6;
  Scenario scenario = saved_every(3, m);
  scenario.workload.get<RunsEpochs>().epochs = 200;
  scenario.loader.cache = CacheRule::none;
  const Result quick = simulate(scenario);
  scenario.run.extrapolate = false;
  const Result full = simulate(scenario);
  CHECK(quick.simulated.extrapolated_steps > 0);
  CHECK(quick.checkpoint->count == 400);
  CHECK(quick.time_to_result_s == doctest::Approx(full.time_to_result_s).epsilon(0.005));
}

TEST_CASE("going back to a checkpoint: its bytes over the drives' reads, then the copies to GPUs") {
  RandomMachine m = ample();
  m.rate[kGpuLink] = 1e10;
  Scenario scenario = saved_every(100, m);
  const double latency = 100e-6 + 2 * kLink;
  CHECK(simulate(scenario).checkpoint->restart_s ==
        doctest::Approx(latency + kSize / 2e10 + kSize / 1e10).epsilon(1e-4));
  scenario.checkpoint->writers = CheckpointWriters::all;
  CHECK(simulate(scenario).checkpoint->restart_s ==
        doctest::Approx(latency + kSize / 2e10 + kSize / 4e10).epsilon(1e-4));
}

TEST_CASE("redundancy multiplies what is written") {
  RandomMachine m = ample();
  m.drives = 4;
  Scenario scenario = saved_every(200, m);
  const auto write_with = [&](Layout layout) {
    edit(scenario.system, [&](System& system) { system.volumes.front().layout = layout; });
    return simulate(scenario).checkpoint->write_s;
  };
  CHECK(write_with(Layout::raid0) == doctest::Approx(kSize / (4 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::raid1) == doctest::Approx(kSize / kWrite).epsilon(0.01));
  CHECK(write_with(Layout::raid5) == doctest::Approx(kSize / (3 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::raid10) == doctest::Approx(kSize / (2 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::files) == doctest::Approx(kSize / kWrite).epsilon(0.01));
}

TEST_CASE("every job saves its own state") {
  Scenario scenario = saved_every(200);
  scenario.loader.jobs = 2;
  CHECK(simulate(scenario).checkpoint->write_s ==
        doctest::Approx(2 * kSize / (2 * kWrite)).epsilon(0.01));
}

TEST_CASE("the size of a checkpoint follows from the parameters where it is not given") {
  RandomMachine m = ample();
  m.parameters = 100'000'000;
  Scenario scenario = saved_every(200, m);
  scenario.checkpoint->size.reset();
  CHECK(simulate(scenario).checkpoint->size_B == 12 * 100e6);
}

TEST_CASE("training that is over before its first checkpoint says so") {
  RandomMachine m = ample();
  m.steps = 50;
  const Result result = simulate(saved_every(51, m));
  CHECK(result.checkpoint->count == 0);
  CHECK(result.checkpoint->share == 0);
  REQUIRE_FALSE(result.warnings.empty());
  CHECK(result.warnings.back() == "training ends after 50 steps, before the first checkpoint");
}

TEST_CASE("no checkpoint makes a random machine faster, and its time is still spent once") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
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
    CHECK(result.throughput_samples_per_s <= plain.throughput_samples_per_s * (1 + noise));
    CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + noise));
    CHECK(result.time_to_result_s >= plain.time_to_result_s * (1 - noise));
    const double interval = static_cast<double>(checkpoint.interval_steps) * result.step_s;
    CHECK(result.checkpoint->cost_s <=
          result.checkpoint->pause_s + result.checkpoint->write_s + noise * interval);
    check_spent_once(result);
  }
}

TEST_CASE("the time to a target contains the checkpoints") {
  Scenario scenario = saved_every(100);
  scenario.workload.get<kind::Training>().target = {
      {128, 1'000'000, "a test", Basis::measured, {}}};
  const Result result = simulate(scenario);
  REQUIRE(result.time_to_target_s);
  // 100 steps of 128 samples and a checkpoint, again and again.
  const double period = 100 * kStep + result.checkpoint->pause_s;
  CHECK(*result.time_to_target_s ==
        doctest::Approx(1'000'000 / (100 * 128 / period)).epsilon(1e-3));
}
