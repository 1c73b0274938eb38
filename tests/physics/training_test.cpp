// SPDX-License-Identifier: Apache-2.0
// One limit at a time, against its formula.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

RandomMachine ample() { return four_ample_gpus(); }

/// GPUs that exchange gradients, and have their links for it: no copies worth the name.
RandomMachine exchanging() {
  RandomMachine m = ample();
  m.exchange = true;
  m.input_size = 1;
  m.parameters = 50'000'000;
  return m;
}

constexpr double kReadLatency = 101e-6;  ///< 100 us of the drive, 1 us of its link

double rate_of(const RandomMachine& m) { return gpufeed::rate_of(scenario_of(m)); }

}  // namespace

TEST_CASE("fed well, N GPUs train N times the rate of one") {
  CHECK(rate_of(ample()) == approx(4 * 1e3).epsilon(1e-9));
}

TEST_CASE("narrow drives give their bandwidth over the bytes of a sample") {
  RandomMachine m = ample();
  m.rate[kDrive] = 5e7;
  CHECK(rate_of(m) == approx(2 * 5e7 / 1e5).epsilon(0.005));
}

TEST_CASE("small samples are limited by the drive's requests per second") {
  RandomMachine m = ample();
  m.rate[kCompute] = 1e6;
  m.rate[kDecode] = 1e9;
  m.sample_size = 100;  // 1 M requests/s x 100 B is less than 10 GB/s
  m.workers = 64;
  m.batch = 256;
  const Result result = simulate(scenario_of(m));
  CHECK(result.stages[0].capacity_samples_per_s == approx(2e6));
}

TEST_CASE("few cores give their number over the decode time") {
  RandomMachine m = ample();
  m.cores = 4;
  m.rate[kDecode] = 250;
  CHECK(rate_of(m) == approx(4 * 250).epsilon(0.005));
}

TEST_CASE("one worker builds one batch after the other") {
  RandomMachine m = ample();
  m.gpus = 1;
  m.workers = 1;
  m.jitter = 0;
  m.rate[kDecode] = 1e3;
  m.rate[kDrive] = 1e8;
  // A sample of 100 kB lies on one drive: stripes are 512 KiB.
  const double batch_s = 32 * (kReadLatency + 1 / 1e3) + 32 * 1e5 / 1e8;
  CHECK(rate_of(m) == approx(32 / batch_s).epsilon(1e-6));
}

TEST_CASE("the first step waits for one batch to be read, decoded and copied") {
  RandomMachine m = ample();
  m.gpus = 1;
  m.workers = 1;
  m.jitter = 0;
  m.rate[kDecode] = 1e3;
  const double read = 32 * kReadLatency + 32 * 1e5 / 1e10;
  const double copy = 1e-6 + 32 * 1e4 / 1e11;
  CHECK(simulate(scenario_of(m)).time_to_first_result_s ==
        approx(read + 32 / 1e3 + copy + 32 / 1e3).epsilon(1e-6));
}

TEST_CASE("copies to GPUs under one switch share its uplink") {
  RandomMachine m = ample();
  m.switches = 1;
  m.rate[kUplink] = 4e7;
  m.input_size = 1e5;
  CHECK(rate_of(m) == approx(4e7 / 1e5).epsilon(0.005));
}

TEST_CASE("data read for the other socket cross the socket link") {
  RandomMachine m = ample();
  m.sockets = 2;
  m.gpus = 4;  // two of them on the socket without drives
  m.rate[kSocketLink] = 2e7;
  CHECK(rate_of(m) == approx(4.0 / 2 * 2e7 / 1e5).epsilon(0.005));
}

TEST_CASE("loaders placed on the other socket copy every decoded byte across") {
  RandomMachine m = ample();
  m.sockets = 2;
  m.gpus = 2;
  m.input_size = 1e6;
  m.sample_size = 1e3;
  m.rate[kSocketLink] = 5e7;
  Scenario scenario = scenario_of(m);
  const double local = gpufeed::rate_of(scenario);
  scenario.loader.placement = part(scenario, "cpu0");  // gpu1 hangs on cpu1: half of the samples
  CHECK(local == approx(2 * 1e3).epsilon(1e-6));
  CHECK(gpufeed::rate_of(scenario) == approx(2 * 5e7 / 1e6).epsilon(0.005));
}

TEST_CASE("a ring all-reduce takes 2 (n-1)/n of the gradients over the ring, and its latency") {
  RandomMachine m = exchanging();
  m.rate[kGpuLink] = 1e10;
  const double latency = 2 * 3 * 2e-6;  // 2 (n-1) rounds over two links of 1 us
  const double exchange = latency + 2 * 3.0 / 4 * 4 * 50e6 / 1e10;
  const double step = 32 / 1e3 + exchange;
  CHECK(rate_of(m) == approx(4 * 32 / step).epsilon(1e-6));
}

TEST_CASE("overlap hides the exchange behind the last part of the computing") {
  RandomMachine m = exchanging();
  m.rate[kGpuLink] = 1e10;
  m.overlap = 0.5;
  const double exchange = 2 * 3 * 2e-6 + 2 * 3.0 / 4 * 4 * 50e6 / 1e10;
  const double step = 0.5 * 32 / 1e3 + exchange;  // the exchange outlasts what hides it
  REQUIRE(exchange > 0.5 * 32 / 1e3);
  CHECK(rate_of(m) == approx(4 * 32 / step).epsilon(1e-6));
}

TEST_CASE("two rings over NVLink halve the time of one") {
  RandomMachine m = exchanging();
  m.gpus = 3;  // fully joined: two directed rings
  m.nvlink = true;
  m.rate[kBrick] = 1e10;
  const double exchange = 2 * 2 * 1e-6 + 2 * 2.0 / 3 * 4 * 50e6 / (2 * 1e10);
  CHECK(rate_of(m) == approx(3 * 32 / (32 / 1e3 + exchange)).epsilon(1e-6));
}

TEST_CASE("a store is read over its network cards, each GPU over the one beside it") {
  RandomMachine m = ample();
  m.store = true;
  m.nics = 2;
  m.rate[kNicPort] = 3e7;
  CHECK(rate_of(m) == approx(2 * 3e7 / 1e5).epsilon(0.005));
}

TEST_CASE("copying in takes the bytes over the narrowest of store, network and drives") {
  RandomMachine m = ample();
  m.rate[kArray] = 1e9;
  Scenario scenario = scenario_of(m);
  Staging staging;
  staging.from = part(scenario, "nas");
  scenario.data.staging = staging;
  const double bytes = 400.0 * 4 * 32 * 1e5;
  CHECK(simulate(scenario).staging_s == approx(bytes / 1e9).epsilon(1e-9));
  scenario.data.staging->rate = Bandwidth{1e8};
  const Result limited = simulate(scenario);
  CHECK(limited.staging_s == approx(bytes / 1e8).epsilon(1e-9));
  CHECK(limited.time_to_result_s == approx(limited.staging_s + limited.training_s).epsilon(1e-12));
}

TEST_CASE("what is extrapolated agrees with what is simulated step by step") {
  for (const double drive : {1e10, 5e7}) {
    RandomMachine m = ample();
    m.rate[kDrive] = drive;
    m.steps = 1000;
    Scenario scenario = scenario_of(m);
    scenario.run.precision = {0.002};
    scenario.workload.get<RunsEpochs>().epochs = 3;
    const Result quick = simulate(scenario);
    scenario.run.extrapolate = false;
    const Result full = simulate(scenario);
    CAPTURE(drive);
    CHECK(quick.simulated.steps < 500);
    CHECK(full.simulated.steps == 3000);
    CHECK(full.simulated.extrapolated_steps == 0);
    CHECK(quick.time_to_result_s == approx(full.time_to_result_s).epsilon(0.005));
    CHECK(quick.first_epoch_s == approx(full.first_epoch_s).epsilon(0.005));
    CHECK(quick.throughput_samples_per_s == approx(full.throughput_samples_per_s).epsilon(0.005));
  }
}

TEST_CASE("every epoch starts with an empty pipeline") {
  RandomMachine m = ample();
  m.jitter = 0;
  m.steps = 5;
  m.rate[kDecode] = 1e3;
  Scenario scenario = scenario_of(m);
  scenario.run.extrapolate = false;
  scenario.loader.cache = CacheRule::none;
  const double one = simulate(scenario).time_to_result_s;
  scenario.workload.get<RunsEpochs>().epochs = 4;
  CHECK(simulate(scenario).time_to_result_s == approx(4 * one).epsilon(1e-9));
  CHECK(one > 5 * 32 / 1e3 + 32 * (kReadLatency + 1e-3));
}

TEST_CASE("the list of files is shuffled before an epoch's first is read") {
  RandomMachine m = ample();
  m.jitter = 0;
  m.steps = 50;
  Scenario scenario = scenario_of(m);
  scenario.run.extrapolate = false;
  scenario.loader.cache = CacheRule::none;
  scenario.workload.get<RunsEpochs>().epochs = 3;
  const Result before = simulate(scenario);
  scenario.loader.shuffle_time_per_file = Seconds{2e-6};
  const Result after = simulate(scenario);
  const double files = static_cast<double>(dataset_samples(scenario.workload)) /
                       static_cast<double>(scenario.workload.dataset()->samples_per_file);
  CHECK(after.time_to_first_result_s ==
        approx(before.time_to_first_result_s + files * 2e-6).epsilon(1e-9));
  CHECK(after.training_s == approx(before.training_s + 3 * files * 2e-6).epsilon(1e-9));
}

TEST_CASE("what an epoch trains from the stock of its first fill is no rate that lasts") {
  RandomMachine m = ample();
  m.gpus = 1;
  m.prefetch = 4;
  m.jitter = 0.1;
  m.deviation = 0.5 * m.sample_size;
  m.steps = 500;
  m.rate[kDrive] = 0.98 * m.rate[kCompute] * m.sample_size / static_cast<double>(m.drives);
  Scenario scenario = scenario_of(m);
  scenario.loader.cache = CacheRule::none;
  scenario.workload.get<RunsEpochs>().epochs = 3;
  const Result result = simulate(scenario);
  const double epoch_samples = 500 * 32;
  CHECK(result.bound.samples_per_s == approx(980).epsilon(1e-6));
  CHECK(result.throughput_samples_per_s < result.bound.samples_per_s);
  CHECK(result.throughput_samples_per_s ==
        approx(3 * epoch_samples / result.training_s).epsilon(1e-9));
}
