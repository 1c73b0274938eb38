// SPDX-License-Identifier: Apache-2.0
// Checkpoints against their formulas.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/phrases.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/evidence.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

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
  CHECK(use.pause_s == approx(2 * kLink + kSize / kGpuBus + use.write_s).epsilon(1e-5));
  CHECK(use.cost_s == approx(use.pause_s).epsilon(1e-3));
  const double period = 100 * kStep + use.pause_s;
  CHECK(result.throughput_samples_per_s == approx(100 * 128 / period).epsilon(1e-3));
  CHECK(steady_step_of(result) == approx(kStep).epsilon(1e-9));
  CHECK(result.gpus.front().share.checkpoint == approx(use.pause_s / period).epsilon(1e-3));
  CHECK(result.accelerator_utilization == approx(100 * kStep / period).epsilon(1e-3));
  CHECK(use.share == approx(use.pause_s / period).epsilon(2e-3));
  Scenario without = scenario;
  without.checkpoint.reset();
  const Result plain = simulate(without);
  CHECK(result.time_to_result_s == approx(plain.time_to_result_s + 20 * use.cost_s).epsilon(1e-6));
  CHECK(result.epoch_s == approx(plain.epoch_s + 20 * use.cost_s).epsilon(1e-6));
  CHECK(result.time_to_first_result_s == approx(plain.time_to_first_result_s).epsilon(1e-6));
  CHECK_FALSE(plain.checkpoint);
}

TEST_CASE("where all write, their copies go on side by side, and their pieces share the drives") {
  RandomMachine m = checkpointed_machine();
  m.rate[kGpuLink] = 1e9;
  Scenario scenario = saved_every(200, m);
  const double write = kSize / (2 * kWrite);
  CHECK(simulate(scenario).checkpoint->pause_s == approx(kSize / 1e9 + write).epsilon(0.01));
  scenario.checkpoint->writers = CheckpointWriters::all;
  CHECK(simulate(scenario).checkpoint->pause_s == approx(kSize / 4 / 1e9 + write).epsilon(0.01));
}

TEST_CASE("a checkpoint onto a store is limited by the store, or by the network cards in use") {
  RandomMachine m = checkpointed_machine();
  m.nics = 2;
  m.rate[kNicPort] = 1e9;
  Scenario scenario = saved_every(200, m);
  scenario.checkpoint->at = part(scenario, "nas");
  set_array_write(scenario, 1e11);
  const double copy = 2 * kLink + kLink + kSize / kGpuBus;
  CHECK(simulate(scenario).checkpoint->write_s == approx(kSize / 1e9).epsilon(1e-6));
  scenario.checkpoint->writers = CheckpointWriters::all;  // of four GPUs two on each card
  CHECK(simulate(scenario).checkpoint->write_s == approx(kSize / 2e9).epsilon(1e-6));
  set_array_write(scenario, 5e8);
  const CheckpointUse use = *simulate(scenario).checkpoint;
  CHECK(use.write_s == approx(kSize / 5e8).epsilon(1e-6));
  CHECK(use.pause_s == approx(use.write_s + copy).epsilon(0.01));
}

TEST_CASE("whoever writes copies its part by software, synced or not, to drives or to a store") {
  constexpr double kSoftware = 1.5e9;  // of a core; drives and store take more
  Scenario scenario = saved_every(400);
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{kSoftware}; });
  set_drives(scenario, 1e10, 4e9);
  set_array_write(scenario, 8e9);
  for (const char* at : {"", "nas"})
    for (const bool sync : {true, false})
      for (const bool all : {true, false}) {
        CAPTURE(at);
        CAPTURE(sync);
        CAPTURE(all);
        scenario.checkpoint->at = part(scenario, at);
        scenario.checkpoint->sync = sync;
        scenario.checkpoint->writers = all ? CheckpointWriters::all : CheckpointWriters::one;
        const double part = all ? kSize / 4 : kSize;
        const bool waits = sync || *at;  // a store takes all before a file is closed
        const double write = waits ? kSize / 8e9 : 0;
        const CheckpointUse use = *simulate(scenario).checkpoint;
        CHECK(use.pause_s ==
              approx(part / kGpuBus + std::max(part / kSoftware, write)).epsilon(0.01));
        CHECK(use.restart_s ==
              approx(part / kGpuBus + std::max(part / kSoftware, kSize / (*at ? 1e11 : 2e10)))
                  .epsilon(0.01));
      }
}

TEST_CASE("an asynchronous checkpoint stops the GPUs only for the copy to host memory") {
  Scenario scenario = saved_every(100);
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  const CheckpointUse use = *simulate(scenario).checkpoint;
  const double reads = 4e3 * 1e5 / (2 * 1e10);  // share of the drives' time
  REQUIRE(use.write_s < 100 * kStep);
  // Batches that are copied in meanwhile pass the same memory for some microseconds.
  CHECK(use.pause_s == approx(kLink + kSize / kGpuBus).epsilon(1e-4));
  CHECK(use.write_s == approx(kSize / (2 * kWrite) / (1 - reads)).epsilon(0.002));
  CHECK(use.cost_s == approx(use.pause_s).epsilon(0.01));
}

TEST_CASE("asynchronous checkpoints too close to one another come as fast as they are written") {
  Scenario scenario = saved_every(10);
  scenario.checkpoint->mode = CheckpointMode::asynchronous;
  const Result result = simulate(scenario);
  const double reads = 10 * 128 * 1e5 / (2 * 1e10);  // of one interval, in the drives' time
  const double period = 2 * kLink + kSize / kGpuBus + kSize / (2 * kWrite) + reads;
  REQUIRE(10 * kStep < period);
  // Nothing waits before the first, and the last is written when training has ended.
  const double all = 10 * kStep + 199 * period;
  CHECK(result.throughput_samples_per_s == approx(2000 * 128 / all).epsilon(1e-3));
  CHECK(result.checkpoint->pause_s == approx(period - 10 * kStep).epsilon(1e-3));
  CHECK(result.bottleneck.resource == fact<LimiterCode::checkpoints>());
  CHECK(result.bottleneck.evidence.front().shows.code == EvidenceCode::stand_still_for_checkpoints);
  CHECK(tightest_stage(result) == nullptr);  // none of them holds the job back
}

TEST_CASE(
    "a checkpoint that is not synced waits in the page cache, and drives write it meanwhile") {
  Scenario scenario = saved_every(100);
  scenario.data.mode = ReadMode::direct;  // whose reads the cache does not serve
  scenario.checkpoint->sync = false;
  const double copy = 2 * kLink + kSize / kGpuBus;
  const double reads = 4e3 * 1e5 / (2 * 1e10);  // share of the drives' time
  REQUIRE(100 * kStep > kSize / (2 * kWrite) / (1 - reads));
  // Of memory the kernel lets 15 % wait: half-way between 10 and 20 %.
  const auto use_with = [&](double room) {
    scenario.loader.cache_memory = Bytes{room / 0.15};
    return *simulate(scenario).checkpoint;
  };
  const double kCopyRate = 5e9;
  edit_cpus(scenario, [&](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{kCopyRate}; });
  const CheckpointUse all = use_with(2 * kSize);
  CHECK(all.pause_s == approx(copy + kSize / kCopyRate).epsilon(0.01));
  CHECK(all.write_s == approx(kSize / (2 * kWrite) / (1 - reads)).epsilon(0.01));
  CHECK(all.cost_s == approx(all.pause_s).epsilon(0.01));
  // What does not fit is waited for, at the drives' pace.
  const CheckpointUse quarter = use_with(kSize / 4);
  CHECK(quarter.pause_s == approx(copy + 0.75 * kSize / (2 * kWrite)).epsilon(0.01));
  // The limits are the user's: all may wait, and half of it without a write.
  scenario.checkpoint->dirty_ratio = {1.0};
  scenario.checkpoint->dirty_background_ratio = {0.5};
  CHECK(use_with(kSize / 5).pause_s == approx(copy + kSize / kCopyRate).epsilon(0.01));
  // As the kernel has it, a background limit at the other one counts as half of that.
  scenario.checkpoint->dirty_ratio = {0.2};
  CHECK(use_with(kSize / 4).pause_s == approx(quarter.pause_s).epsilon(1e-6));
  // A network store takes all before the file is closed.
  set_array_write(scenario, 5e8);
  scenario.checkpoint->at = part(scenario, "nas");
  CHECK(use_with(2 * kSize).pause_s >= kSize / 5e8);
}

TEST_CASE(
    "checkpoints too close to one another fill the page cache, then come at the drives' pace") {
  Scenario scenario = saved_every(10);
  scenario.data.mode = ReadMode::direct;
  scenario.checkpoint->sync = false;
  scenario.loader.cache_memory = Bytes{3 * kSize / 0.15};
  const Result result = simulate(scenario);
  const double reads = 10 * 128 * 1e5 / (2 * 1e10);  // of one interval, in the drives' time
  const double period = kSize / (2 * kWrite) + reads;
  REQUIRE(10 * kStep < period);
  // Three of 200 find room, and when the last has, training is over.
  CHECK(result.throughput_samples_per_s == approx(2000 * 128 / (197 * period)).epsilon(0.005));
}

TEST_CASE("a page cache takes many checkpoints before the drives' pace is seen, and then it is") {
  // Of 2 x 4 GB/s that come, drives write 2 GB/s: a cache of many of them fills up in the end. What
  // 40 of 2000 or 400 of 2000 find room for is no part of a few simulated ones.
  for (const auto mode : {CheckpointMode::synchronous, CheckpointMode::asynchronous})
    for (const double room : {0.0, 10.0, 40.0, 100.0, 400.0}) {
      CAPTURE(room);
      CAPTURE(name_of(mode));
      Scenario scenario = saved_every(20);
      scenario.workload.get<RunsEpochs>().samples = 128 * 20 * 200;
      scenario.checkpoint->mode = mode;
      scenario.checkpoint->sync = false;
      scenario.data.mode = ReadMode::direct;
      scenario.loader.cache_memory = Bytes{room * kSize / 0.15};
      const Result quick = simulate(scenario);
      scenario.run.extrapolate = false;
      const Result whole = simulate(scenario);
      CHECK(quick.throughput_samples_per_s ==
            approx(whole.throughput_samples_per_s)
                .epsilon(std::max(0.005, quick.simulated.step_rate_uncertainty)));
      CHECK(quick.simulated.steps < whole.simulated.steps / 2);
      // All are written, but for what the cache holds in the end and one more.
      const double written = (200 - room - 2) * kSize;
      CHECK(quick.training_s * 2 * kWrite >= written);
    }
}

namespace {

/// What nothing crosses is not listed.
double load_of(const Result& result, const std::string& resource) {
  const auto use = std::ranges::find(result.resources, resource, &ResourceUse::id);
  return use == result.resources.end() ? 0 : use->utilization;
}

}  // namespace

TEST_CASE("what the page cache still holds when training ends is no load of the drives") {
  // Twice as much comes as two drives write: from the first checkpoint on they always write.
  for (const auto mode : {CheckpointMode::synchronous, CheckpointMode::asynchronous})
    for (const std::int64_t steps : {20, 60, 300, 4000}) {
      CAPTURE(name_of(mode));
      CAPTURE(steps);
      RandomMachine m = checkpointed_machine();
      m.steps = steps;
      Scenario scenario = saved_every(20, m);
      scenario.checkpoint->mode = mode;
      scenario.checkpoint->sync = false;
      scenario.data.mode = ReadMode::direct;
      scenario.loader.cache_memory = Bytes{1000 * kSize / 0.15};
      const Result result = simulate(scenario);
      const double all = result.training_s;
      const double first =
          20 * kStep + kSize / kGpuBus;  // copied; what is read until then is no wait
      const double reads = static_cast<double>(steps - 20) * 128 * 1e5 / (2 * 1e10);
      REQUIRE(first < kSize / (2 * kWrite));
      // What drives have under way is known but for a sixteenth of a checkpoint's part.
      const double part = kSize / 2 / 16 / kWrite / all;
      CHECK(std::abs(load_of(result, "ssd0 write") - (all - first - reads) / all) <=
            0.003 + (steps == 20 ? part : 0));
      // A synced one is written when training goes on.
      scenario.checkpoint->sync = true;
      scenario.checkpoint->mode = CheckpointMode::synchronous;
      const Result synced = simulate(scenario);
      const std::int64_t saves = steps / 20;
      const double written = static_cast<double>(saves) * kSize;
      CHECK(load_of(synced, "ssd0 write") ==
            approx(written / (2 * kWrite * synced.training_s)).epsilon(1e-3));
    }
}

TEST_CASE("no drive of a random machine writes checkpoints beyond its pace") {
  int busy = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(60u); ++seed) {
    Random random(seed + 900);
    RandomMachine m = random_machine(seed);
    m.steps = random.integer(1, 400);
    Scenario scenario = featured_scenario(m, seed);
    if (scenario.workload.kind() != kind_of<kind::Training>) continue;
    const double step = simulate(scenario).step_s;
    Checkpoint checkpoint = checkpoint_every(random.integer(1, std::min<std::int64_t>(m.steps, 9)));
    const double interval = static_cast<double>(checkpoint.interval_steps) * step;
    checkpoint.size = Bytes{interval * 1e9 * log_uniform(random, 0.1, 10)};
    if (random.integer(0, 1) > 0) checkpoint.mode = CheckpointMode::asynchronous;
    checkpoint.sync = random.integer(0, 3) == 0;
    draw_writing(scenario, checkpoint, random);
    scenario.checkpoint = checkpoint;
    for (const bool extrapolate : {true, false}) {
      scenario.run.extrapolate = extrapolate;
      const Result result = simulate(scenario);
      CAPTURE(seed);
      CAPTURE(extrapolate);
      for (const ResourceUse& use : result.resources) {
        CAPTURE(use.id);
        const double known = extrapolate ? result.simulated.step_rate_uncertainty : 0;
        CHECK(use.utilization <= 1 + std::max(1e-6, known));
        if (use.id.ends_with("write") && use.utilization > 0.9) ++busy;
      }
    }
  }
  CHECK(busy >= costly_draws(10));
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
  CHECK(use.write_s == approx(write).epsilon(0.01));
  CHECK(use.cost_s == approx(write * (1 - 4 * rate / kRead)).epsilon(0.02));
}

TEST_CASE("while GPUs stand still, loaders catch up: a checkpoint costs less than its pause") {
  Scenario scenario = starving(2e9, kWrite);
  scenario.store["nas"].via = {part(scenario, "nic0")};
  set_array_write(scenario, 2e9);
  scenario.checkpoint = checkpoint_every(400);
  scenario.checkpoint->at = part(scenario, "nas");
  const CheckpointUse use = *simulate(scenario).checkpoint;
  const double pause = kSize / 2e9 + kSize / kGpuBus;
  const double batch = 32 * 1e7 / 2e9;
  CHECK(use.pause_s == approx(pause).epsilon(1e-3));
  // Eight batches are read ahead and two lie on the GPU before the loaders stop.
  CHECK(use.cost_s < pause - 5 * batch);
  CHECK(use.cost_s > pause - 11 * batch);
}

TEST_CASE("going back to a checkpoint: its bytes over the drives' reads, then the copies to GPUs") {
  RandomMachine m = checkpointed_machine();
  m.rate[kGpuLink] = 1e10;
  Scenario scenario = saved_every(100, m);
  const double latency = 100e-6 + 2 * kLink;
  CHECK(simulate(scenario).checkpoint->restart_s ==
        approx(latency + kSize / 2e10 + kSize / 1e10).epsilon(1e-4));
  scenario.checkpoint->writers = CheckpointWriters::all;
  CHECK(simulate(scenario).checkpoint->restart_s ==
        approx(latency + kSize / 2e10 + kSize / 4e10).epsilon(1e-4));
}

TEST_CASE("a disk writes a checkpoint in a row, as fast as it streams") {
  const Result result = simulate(parse_scenario(
      "title = \"t\"\nsystem = { chassis = \"supermicro-sys-621c-tn12r\", "
      "cpu = \"2 x intel-xeon-gold-6430\", memory = \"256 GB\", gpu = \"2 x nvidia-l4\", "
      "drives = \"2 x seagate-exos-x20-20tb\" }\n[workload]\nmodel = \"bert-large\"\n"
      "dataset = \"wikipedia-text\"\nprecision = \"fp16\"\nbatch_per_gpu = 16\n"
      "samples = 200000\n[checkpoint]\ninterval_steps = 1000\nsync = true\nsize = \"4 GB\"\n",
      "test.toml", own_catalog()));
  REQUIRE(result.checkpoint);
  const double streamed = 2 * 285e6;  // its data sheet
  CHECK(result.checkpoint->write_s == approx(4e9 / streamed).epsilon(0.02));
}

TEST_CASE("redundancy multiplies what is written") {
  RandomMachine m = checkpointed_machine();
  m.drives = 4;
  Scenario scenario = saved_every(200, m);
  const auto write_with = [&](Layout layout) {
    edit(scenario.system, [&](System& system) { system.volumes.front().layout = layout; });
    return simulate(scenario).checkpoint->write_s;
  };
  CHECK(write_with(Layout::raid0) == approx(kSize / (4 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::raid1) == approx(kSize / kWrite).epsilon(0.01));
  CHECK(write_with(Layout::raid5) == approx(kSize / (3 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::raid10) == approx(kSize / (2 * kWrite)).epsilon(0.01));
  CHECK(write_with(Layout::files) == approx(kSize / kWrite).epsilon(0.01));
}

TEST_CASE("every job saves its own state") {
  Scenario scenario = saved_every(200);
  scenario.loader.jobs = 2;
  CHECK(simulate(scenario).checkpoint->write_s == approx(2 * kSize / (2 * kWrite)).epsilon(0.01));
}

TEST_CASE("the size of a checkpoint follows from the parameters where it is not given") {
  RandomMachine m = checkpointed_machine();
  m.parameters = 100'000'000;
  Scenario scenario = saved_every(200, m);
  scenario.checkpoint->size.reset();
  auto& optimizer = scenario.workload.get<kind::Training>().optimizer;
  optimizer.value = Optimizer::momentum;
  CHECK(simulate(scenario).checkpoint->size_B == 8 * 100e6);
  optimizer.value = Optimizer::adam;
  CHECK(simulate(scenario).checkpoint->size_B == 12 * 100e6);
}

TEST_CASE("training that is over before its first checkpoint says so") {
  RandomMachine m = checkpointed_machine();
  m.steps = 50;
  const Result result = simulate(saved_every(51, m));
  CHECK(result.checkpoint->count == 0);
  CHECK(std::isinf(result.checkpoint->share));  // null: nothing to be held against a measurement
  CHECK(std::isinf(result.checkpoint->cost_s));
  CHECK(std::isfinite(result.training_s));
  REQUIRE_FALSE(result.warnings.empty());
  CHECK(result.warnings.back() == fact<WarningCode::no_checkpoint>(50));
}

TEST_CASE("the time to a target contains the checkpoints") {
  Scenario scenario = saved_every(100);
  scenario.workload.get<kind::Training>().target = {
      {128, 1'000'000, "a test", Basis::measured, {}}};
  const Result result = simulate(scenario);
  REQUIRE(result.time_to_target_s);
  // 100 steps of 128 samples and a checkpoint, again and again.
  const double period = 100 * kStep + result.checkpoint->pause_s;
  CHECK(*result.time_to_target_s == approx(1'000'000 / (100 * 128 / period)).epsilon(1e-3));
}
