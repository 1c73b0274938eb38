// SPDX-License-Identifier: Apache-2.0
// What a result states of its certainty, against full runs and known answers. `./dev nightly
// coverage` does the same over ten times as many jobs.
#include "tests/support/certainty.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include "sim/job/epochs/run_memory.h"
#include "sim/load/load.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/checkpoints.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/long_jobs.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Readers of a few large samples beside one drive of 2 GB/s that answers in 100 us, which march in
/// step with it and change their order seldom.
RandomMachine few_readers(std::int64_t workers, double sample_size, double decode_s, double rate,
                          std::int64_t samples) {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 2e9;
  m.rate[kDecode] = 1 / decode_s;
  m.rate[kCompute] = rate;
  m.sample_size = sample_size;
  m.workers = workers;
  m.batch = 4;
  m.jitter = 0.05;
  m.sample_jitter = 0.2;
  m.steps = samples / m.batch;
  return m;
}

Scenario direct(const RandomMachine& m) {
  Scenario scenario = scenario_of(m);
  scenario.run = {};
  scenario.data.mode = ReadMode::direct;
  edit_drives(scenario, [](Drive& drive) { drive.read_rate = 1e9_per_s; });
  return scenario;
}

/// A thousand steps from a store, of which readers get shares that differ by so much.
/// \param cached  data lie on drives, of which a test makes a cache of the store
Scenario on_a_store(RandomMachine m, Ratio share_deviation, bool cached = false) {
  m.store = !cached;
  m.steps = 1000;
  Scenario scenario = scenario_of(m);
  scenario.run = {};
  auto protocol = named<Protocol>("protocol");
  protocol.share_deviation = share_deviation;
  scenario.store["nas"].protocol = ref(protocol);
  return scenario;
}

constexpr std::int64_t kSeeds = 12;

CertaintySummary summary_of(const Scenario& scenario) {
  CertaintySummary summary;
  summary.add(certainty_of(scenario, kSeeds, kSeeds));
  return summary;
}

}  // namespace

// Of 160 statements of 95 %, fewer than 139 hold once in 100,000 times; the bar leaves room for
// jobs whose statements fail together.
TEST_CASE("of random jobs, the stated interval covers full runs with other random numbers") {
  CertaintySummary all;
  for (std::uint64_t seed = 1; seed <= costly_draws(40u); ++seed)
    all.add(certainty_of(long_job(seed), 4, 4));
  MESSAGE("covers the mean " << all.covers_mean.percent() << " %, a run "
                             << all.covers_run.percent() << " %, worst time " << all.worst_time);
  CHECK(all.covers_mean.percent() >= 87);
  CHECK(all.covers_run.percent() >= 87);
  CHECK(all.time_covers_run.percent() >= 87);
  CHECK(all.worst_time <= 0.03);
  CHECK(all.quantile(0.5) <= 0.005);
  CHECK(all.quantile(0.95) <= 0.015);
}

// A run of all its steps is known exactly, and still not what another one will reach.
TEST_CASE("short jobs of which every step is run state how far another run may lie") {
  Share held;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomMachine m = random_machine(seed);
    m.steps = 150;
    m.jitter = 0.05;
    m.sample_jitter = 0.2;
    const Certainty job = certainty_of(scenario_of(m), 6, 6);
    for (std::size_t i = 0; i < job.stated.size(); ++i) {
      const Stated& one = job.stated[i];
      if (one.extrapolated || !std::isfinite(one.half_width)) continue;
      held.add(std::abs(job.full[i].rate / one.rate - 1) <=
               std::hypot(one.half_width, one.runs) + 1e-6);
    }
  }
  MESSAGE("holds in " << held.percent() << " % of " << held.of);
  CHECK(held.of >= 24);
  CHECK(held.percent() >= 87);
}

TEST_CASE("few readers that march in step with a drive do not feign certainty") {
  RandomMachine two = few_readers(2, 582094.4, 101.535e-6, 3607.66, 12000);
  RandomMachine one = few_readers(1, 21184962, 6354.9e-6, 49.5635, 24000);
  one.gpus = 2;
  one.cores = 8;
  RandomMachine four = few_readers(4, 10423622, 4075.96e-6, 767.4875, 12000);
  four.cores = 8;
  Scenario shared = direct(four);
  shared.loader.style = LoaderStyle::tensorflow;
  edit_drives(shared, [](Drive& drive) { drive.read_latency = 1_ms; });
  for (const Scenario& scenario : {direct(two), direct(one), shared}) {
    const CertaintySummary found = summary_of(scenario);
    CHECK(found.unknown == 0);
    CHECK(found.covers_mean.percent() >= 80);
    CHECK(found.worst_time <= 0.03);
  }
}

TEST_CASE("what readers get of a store, drawn once a run, is part of what is stated") {
  RandomMachine m = four_ample_gpus();
  m.workers = 1;
  m.jitter = 0.05;
  m.rate[kArray] = 2e8;
  Scenario scenario = on_a_store(m, {0.3});
  double differ = 0;
  for (std::int64_t seed = 1; seed <= 4; ++seed)
    differ = std::max(differ, stated_of(scenario, seed, true).runs);
  CHECK(differ > 0);
  // Chance within a run hides it from no seed: each states as much as seeds differ by.
  const auto sizes = [](Dataset& dataset) { dataset.sample_size_deviation = {8e4}; };
  edit(scenario.workload.dataset(), sizes);
  const CertaintySummary found = summary_of(scenario);
  CHECK(found.unknown == 0);
  CHECK(found.covers_mean.percent() >= 90);
  Scenario even = on_a_store(m, {0});
  edit(even.workload.dataset(), sizes);
  CHECK(!simulate(even).simulated.store_shares);
}

// Where a cache of a third of the data is found at the start of an epoch, what a step takes grows
// within it: of long epochs a few short ones tell, of each draw of shares as of the first.
TEST_CASE("runs with other shares of a store are as short as the run that is told") {
  RandomMachine m = four_ample_gpus();
  m.workers = 1;
  m.jitter = 0.05;
  m.sample_size = 1e6;
  m.rate[kArray] = 2e8;
  Scenario scenario = on_a_store(m, {0.3}, true);
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples *= 20; });
  scenario.workload.get<RunsEpochs>().epochs = 3;
  Staging staging;
  staging.from = part(scenario, "nas");
  staging.mode = StagingMode::read_through;
  staging.eviction = CacheEviction::lru;
  staging.capacity = scenario.workload.dataset()->sample_size *
                     (static_cast<double>(scenario.workload.dataset()->samples) / 3);
  scenario.data.staging = staging;
  scenario.loader.cache = CacheRule::none;
  const auto simulated = [&](std::int64_t replications) {
    RunMemory memory;
    const RunMemory::InUse in_use(memory);
    scenario.run.replications = replications;
    const Result result = simulate(scenario);
    CHECK(result.simulated.extrapolated_steps > 10 * result.simulated.steps);
    CHECK((replications == 1 || result.simulated.run_uncertainty > 0));
    return memory.counts().simulated;
  };
  constexpr std::int64_t kOfOneDraw = 3, kFewestDraws = 4;
  CHECK(simulated(8) >= simulated(1) + kOfOneDraw * kFewestDraws);
}

TEST_CASE("checkpoints onto a store are no chance of its readers") {
  Scenario scenario = on_a_store(four_ample_gpus(), {0.3});
  scenario.data.at = part(scenario, "nas");
  scenario.checkpoint = checkpoint_every(10);
  scenario.checkpoint->at = part(scenario, "nas");
  set_array_write(scenario, 1e9);
  const Result result = simulate(scenario);
  REQUIRE(result.checkpoint);
  REQUIRE(result.checkpoint->share > 0.5);
  CHECK(result.simulated.step_rate_uncertainty < 0.01);
  CHECK(result.simulated.run_uncertainty < 0.01);
}

TEST_CASE(
    "a short job of much chance is told as the mean of runs, as many as its precision takes") {
  RandomMachine m = ample_machine();
  m.workers = 2;
  m.prefetch = 1;
  m.jitter = 0.5;
  m.sample_size = 1e6;
  m.batch = 4;
  m.rate[kDrive] = 1e8;
  m.rate[kDecode] = 100;
  m.steps = 60;
  Scenario scenario = scenario_of(m);
  scenario.data.mode = ReadMode::direct;
  scenario.run = {};
  const Result told = simulate(scenario);
  const std::int64_t runs = told.simulated.runs;
  REQUIRE(runs > 1);
  CHECK(told.simulated.steps == 60);
  CHECK(told.simulated.extrapolated_steps == 0);
  CHECK((runs == scenario.run.replications || told.simulated.step_rate_uncertainty <= 0.005));
  double time = 0, share = 0;
  Scenario one = scenario;
  one.run.extrapolate = false;
  for (std::int64_t run = 0; run < runs; ++run) {
    one.run.seed = scenario.run.seed + (run << 32);
    const Result result = simulate(one);
    CHECK(result.simulated.runs == 1);
    time += result.training_s / static_cast<double>(runs);
    share += result.accelerator_utilization * result.training_s;
  }
  CHECK(told.training_s == about(time, 1e-9));
  CHECK(told.throughput_samples_per_s == about(60 * 4 / time, 1e-9));
  CHECK(told.accelerator_utilization == about(share / time / static_cast<double>(runs), 1e-9));
  scenario.run.replications = 1;
  const Result alone = simulate(scenario);
  CHECK(alone.simulated.runs == 1);
  CHECK(alone.simulated.step_rate_uncertainty > told.simulated.step_rate_uncertainty);
}

// One worker on each of n readers: a drive that they share equally, and cores of their own where
// they decode, is a closed network of a queue and a delay, whose rate mean value analysis gives
// (Reiser and Lavenberg, 1980), whatever the distributions.
TEST_CASE("the interval covers what mean value analysis says of readers at a drive") {
  constexpr double kRead = 0.01;
  Share held;
  for (const int readers : {1, 2, 3, 5})
    for (const double decode : {0.01, 0.03}) {
      double rate = 0, waiting = 0;
      for (int n = 1; n <= readers; ++n) {
        const double at_drive = kRead * (1 + waiting);
        rate = n / (decode + at_drive);
        waiting = rate * at_drive;
      }
      RandomMachine m = ample_machine();
      m.workers = readers;
      m.prefetch = 2000;  // so many that no worker is ever too far ahead of the others
      m.jitter = 0.5;
      m.sample_size = 1e6;
      m.rate[kDrive] = 32e6 / kRead;
      m.rate[kDecode] = 32 / decode;
      m.steps = 100'000;
      Scenario scenario = scenario_of(m);
      become<kind::Loader>(scenario.workload);
      scenario.data.mode = ReadMode::direct;
      scenario.run = {};
      edit_drives(scenario, [](Drive& drive) { drive.read_latency = {}; });
      for (std::int64_t seed = 1; seed <= 5; ++seed) {
        const Stated found = stated_of(scenario, seed, true);
        CHECK(found.half_width <= 0.005);
        held.add(std::abs(found.rate / 32 / rate - 1) <= found.half_width);
      }
    }
  CHECK(held.percent() >= 85);
}

TEST_CASE("decoding faster never lowers the throughput by more than is known") {
  const std::string text = R"(
system = "dell-c4130-g"
workload = { model = "swin-base", dataset = "ct-volumes-512", batch_per_gpu = 8, precision = "fp16", gpus = 1 }
loader = { workers_per_gpu = 8, style = "tensorflow", process_bandwidth = "2 GB/s" }
data = { at = "scratch", mode = "direct", request = "4 MiB" }
)";
  const Scenario scenario = parse_scenario(text, "a test", own_catalog());
  Share held;
  for (std::int64_t seed = 20; seed < 32; ++seed) {
    Scenario faster = scenario;
    CHECK(raise_capacity(faster, 2, 1.5));
    const Stated before = stated_of(scenario, seed, true);
    const Stated after = stated_of(faster, seed, true);
    held.add(after.rate >=
             before.rate * (1 - std::hypot(before.half_width, after.half_width) - 1e-6));
  }
  CHECK(held.held == held.of);
}

TEST_CASE("runs of 1 to 20 steps have finite numbers") {
  for (std::int64_t steps = 1; steps <= 20; ++steps) {
    RandomMachine m = four_ample_gpus();
    m.jitter = 0.05;
    m.workers = 8;
    m.steps = steps;
    const Result result = simulate(scenario_of(m));
    CAPTURE(steps);
    CHECK(std::isfinite(result.throughput_samples_per_s));
    CHECK(result.throughput_samples_per_s > 0);
    CHECK(result.accelerator_utilization > 0);
    CHECK(result.accelerator_utilization <= 1 + 1e-9);
    for (const auto& resource : result.resources) CHECK(std::isfinite(resource.utilization));
    for (const auto& gpu : result.gpus) CHECK(std::isfinite(gpu.share.compute));
    CHECK(result.simulated.extrapolated_steps == 0);
  }
}

TEST_CASE("loaders of single samples are left where more batches tell little more") {
  const Result result =
      simulate(parse_scenario("system = 'hpe-apollo-6500-4to1'\n"
                              "nodes = 8\n"
                              "[workload]\n"
                              "kind = 'loader'\n"
                              "dataset = 'open-images-mlperf'\n"
                              "epochs = 1\n"
                              "batch_per_gpu = 1\n"
                              "[run]\n"
                              "range_samples = 0\n",
                              "loaders.toml", own_catalog()));
  const Simulated& done = result.simulated;
  CHECK(done.steps * done.runs * 64 < 1'500'000);
  CHECK(done.step_rate_uncertainty > 0.005);
  CHECK(done.step_rate_uncertainty < 0.05);
  // Eight runs of every step: 32,340, known to 0.7 %.
  CHECK(result.job_samples_per_s == approx(32'340).epsilon(done.step_rate_uncertainty + 0.007));
}
