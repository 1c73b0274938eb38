// SPDX-License-Identifier: Apache-2.0
// How often a disk's head moves while loaders read, and what that costs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kBandwidth = 200e6;
constexpr double kSeek = 0.010;  ///< 100 requests a second
constexpr double kAlone = 2e-3;  ///< of the latency of 12 ms, what a queue hides
constexpr double kLink = 1e-6;
constexpr double kSampleDecode = 1e-6;
constexpr double kSample = 1e5;
constexpr double kWindow = 131072;

/// One reader of `per_file` samples a file on one disk; nothing else takes time worth mentioning.
Scenario on_disk(std::int64_t per_file, std::int64_t workers = 1, std::int64_t disks = 1) {
  RandomMachine m = ample_machine();
  m.workers = workers;
  m.prefetch = 1;
  m.jitter = 0;
  m.drives = disks;
  m.rate[kCompute] = 1e6;
  Scenario scenario = scenario_of(m);
  edit_drives(scenario, [](Drive& drive) {
    drive.medium = Medium::disk;
    drive.read_bandwidth = {kBandwidth};
    drive.read_rate = {1 / kSeek};
    drive.read_latency = {kSeek + kAlone};
  });
  edit(scenario.workload.dataset(), [&](Dataset& data) { data.samples_per_file = per_file; });
  scenario.loader.order = SampleOrder::shards;
  return scenario;
}

void lay_out(Scenario& scenario, Layout layout, Bytes stripe_unit) {
  edit(scenario.system, [&](System& system) {
    system.volumes.front().layout = layout;
    system.volumes.front().stripe_unit = stripe_unit;
  });
}

/// What the disk attains that moves its head once in `run` bytes.
double with_run(double run) { return 1 / (1 / kBandwidth + kSeek / run); }

double capacity(const Scenario& scenario) {
  const Plan plan = make_plan(scenario);
  return plan.resource(plan.graph.read_resource(plan.sources.front())).capacity.value;
}

}  // namespace

TEST_CASE("one reader of record files moves a disk's head once a file") {
  const Scenario scenario = on_disk(1000);
  const double file = 1000 * kSample;
  CHECK(capacity(scenario) == approx(with_run(file)));
  const double wait = kSample / file * (kAlone + kLink);
  const Result result = simulate(scenario);
  CHECK(steady_of(result) ==
        approx(1 / (wait + kSample / with_run(file) + kSampleDecode)).epsilon(2e-3));
}

TEST_CASE("small files cost a disk a movement each, whoever reads them") {
  for (const std::int64_t workers : {1, 4})
    CHECK(capacity(on_disk(1, workers)) == approx(with_run(kSample)));
  // A lone reader waits for all of its latency, of which the disk itself is busy for the seek.
  CHECK(rate_of(on_disk(1)) ==
        approx(1 / (kAlone + kLink + kSeek + kSample / kBandwidth + kSampleDecode)).epsilon(2e-3));
}

TEST_CASE("one reader feeds many threads that decode") {
  Scenario scenario = on_disk(1000, 8);
  scenario.loader.style = LoaderStyle::tensorflow;
  scenario.loader.readers = 1;
  edit(scenario.workload.dataset(), [](Dataset& data) { data.decode_time = Seconds{3e-3}; });
  // Of one batch at a time: read by one, then decoded by eight.
  const double read = (kAlone + kLink) / 1000 + kSample / with_run(1000 * kSample);
  CHECK(rate_of(scenario) == approx(1 / (read + 3e-3 / 8)).epsilon(2e-3));
  scenario.loader.readers.reset();
  CHECK(capacity(scenario) == approx(with_run(kWindow)));
}

TEST_CASE("readers of one disk take it from one another after each window") {
  for (const std::int64_t workers : {2, 8})
    CHECK(capacity(on_disk(1000, workers)) == approx(with_run(kWindow)));
  Scenario wide = on_disk(1000, 2);
  wide.data.readahead = Bytes{4e6};
  CHECK(capacity(wide) == approx(with_run(4e6)));
}

TEST_CASE("samples of record files in random order are scattered over the disk") {
  Scenario scenario = on_disk(1000);
  scenario.loader.order = SampleOrder::permutation;
  CHECK(capacity(scenario) == approx(with_run(kWindow)));
}

TEST_CASE("readers of whole files on several disks meet there by chance") {
  const double file = 1000 * kSample;
  for (const std::int64_t workers : {1, 3}) {
    Scenario scenario = on_disk(1000, workers, 4);
    lay_out(scenario, Layout::files, Bytes{1e6});
    const double meet = 1 - std::pow(0.75, static_cast<double>(workers - 1));
    CHECK(capacity(scenario) == approx(with_run(1 / (meet / kWindow + (1 - meet) / file))));
  }
}

TEST_CASE("every disk of a stripe set holds its part of a file, or of a window, in a row") {
  for (const std::int64_t workers : {1, 2}) {
    Scenario scenario = on_disk(1000, workers, 2);
    lay_out(scenario, Layout::raid0, Bytes{1e6});
    const double run = workers == 1 ? 1000 * kSample : 4e6;  // a window is of two stripes
    CHECK(capacity(scenario) == approx(with_run(run / 2)));
  }
}

// A request of less than a stripe waits for one disk, however many there are; what a lone reader
// gets does not hang on how much of its wait a queue could hide.
TEST_CASE("a lone reader of a stripe set waits for one disk at a time") {
  for (const double seek : {kSeek, kSeek / 4}) {
    Scenario scenario = on_disk(1, 1, 4);
    lay_out(scenario, Layout::raid0, Bytes{1e6});
    scenario.data.mode = ReadMode::direct;
    edit_drives(scenario, [&](Drive& drive) {
      drive.read_rate = {1 / seek};
      drive.read_latency = {kSeek + kAlone};
    });
    const double sample = kSeek + kAlone + kLink + kSample / kBandwidth + kSampleDecode;
    CHECK(rate_of(scenario) == approx(1 / sample).epsilon(2e-3));
  }
}
