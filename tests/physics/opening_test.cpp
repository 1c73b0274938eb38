// SPDX-License-Identifier: Apache-2.0
// What files cost besides their data: opening them.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kRequests = 1e4;  ///< a second, of the drive
constexpr double kFile = 4096;

/// Files of 4 KiB on one drive, to a GPU that trains a million a second.
Scenario small_files(double opens) {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 5e10;
  m.rate[kCompute] = 1e6;
  m.sample_size = kFile;
  m.input_size = 1e3;
  m.batch = 256;
  m.workers = 64;
  m.steps = 8000;
  Scenario scenario = scenario_of(m);
  scenario.loader.decode = DecodeOn::none;
  scenario.data.open_requests.value = static_cast<std::int64_t>(opens);
  edit_drives(scenario, [](Drive& drive) {
    drive.read_rate = {kRequests};
    drive.read_latency = 1_us;
  });
  return scenario;
}

}  // namespace

TEST_CASE("a file that is not in memory costs the drive its data's requests and those to open it") {
  for (const double opens : {0., 1., 2.}) {
    Scenario scenario = small_files(opens);
    scenario.loader.cache = CacheRule::none;
    CHECK(rate_of(scenario) == about(kRequests / (1 + opens), 0.01));
  }
}

TEST_CASE("many samples of a file share its opening; large files hardly notice it") {
  Scenario scenario = small_files(1);
  scenario.loader.cache = CacheRule::none;
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 8; });
  // Read in the order in which they lie: 32 KiB are one request.
  CHECK(rate_of(scenario) == about(kRequests / (1 + 1) * 8, 0.01));
  edit(scenario.workload.dataset(), [](Dataset& dataset) {
    dataset.samples_per_file = 1;
    dataset.sample_size = {64 * 131072.0};
  });
  CHECK(rate_of(scenario) == about(kRequests / 65, 0.01));
}

TEST_CASE("a file in memory is opened from there") {
  Scenario scenario = small_files(1);
  scenario.workload.get<RunsEpochs>().epochs = 2;
  const double samples = 8000.0 * 256;
  const Result result = simulate(scenario);
  CHECK(result.first_epoch_s == about(samples / (kRequests / 2), 0.02));
  CHECK(result.epoch_s < result.first_epoch_s / 20);
}

TEST_CASE("a reader waits until its file is opened") {
  RandomMachine m = exact();
  Scenario scenario = scenario_of(m);
  const double plain = first_step(scenario);
  scenario.data.open_requests.value = 2;
  CHECK(first_step(scenario) - plain == approx(32 * 2 * kReadLatency).epsilon(0.02));
}

TEST_CASE("and as long as its file system takes besides, once for all samples of the file") {
  Scenario scenario = scenario_of(exact());
  const double plain = first_step(scenario);
  scenario.data.open_time = 300_us;
  CHECK(first_step(scenario) - plain == approx(32 * 300e-6).epsilon(0.02));
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 8; });
  const double shared = first_step(scenario);
  scenario.data.open_time = {};
  CHECK(shared - first_step(scenario) == approx(32 * 300e-6 / 8).epsilon(0.02));
}

TEST_CASE("files of drives and volumes cost a request more, unless the scenario says otherwise") {
  const auto with = [](const std::string& more) {
    return parse_scenario(
        "system = 'nvidia-dgx-h100'\n[workload]\nkind = 'loader'\ndataset = 'imagenet-1k'\n" + more,
        "opening.toml", own_catalog());
  };
  const Scenario usual = with("");
  CHECK(usual.data.open_requests == 1);
  CHECK(std::ranges::count(usual.defaults, DefaultValue{"data.open_requests", "1"}) == 1);
  CHECK(with("[data]\nopen_requests = 0\n").data.open_requests == 0);
}
