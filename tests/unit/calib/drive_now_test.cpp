// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/drive_now.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "calib/replay/as_replayed.h"
#include "calib/replay/replay_plan.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// A drive of this machine's own, with what was calibrated of it.
Scenario on_drive(const std::string& drive, const std::vector<std::string>& calibrated) {
  std::vector<Override> sets;
  sets.reserve(calibrated.size());
  for (const std::string& set : calibrated) {
    sets.push_back(parse_override("system.drive[ssd0].model." + set));
    sets.back().provenance = Provenance{"measured here", Basis::calibrated};
  }
  return parse_scenario(
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
      "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = \"" +
          drive +
          "\"\nat = \"cpu0\"\n[workload]\nkind = \"emulated\"\njob = \"mlperf-unet3d-h100\"\n"
          "[data]\nat = \"ssd0\"\n[loader]\nworkers_per_gpu = 2\n",
      "one.toml", own_catalog(), sets);
}

Scenario flash(const std::vector<std::string>& calibrated) {
  return on_drive("samsung-pm9a3-3.84tb", calibrated);
}

/// Of 4 KiB, two at a time, and of 1 MiB, sixteen.
DriveReads reads_of(double small_s, double large_s) {
  return {TimedReads{{{4096}, 2}, {small_s}}, TimedReads{{{1 << 20}, 16}, {large_s}}};
}

/// What each of some readers waits where every limit takes its time in turn.
double wait_in_turn(const Drive& drive, double block, double readers) {
  return readers * block / drive.read_bandwidth.value +
         readers * std::max(1.0, block / 131072) / drive.read_rate.value +
         drive.read_latency.value +
         block / drive.request_bandwidth.value_or(drive.read_bandwidth).value;
}

const std::vector<std::string> kAll{"read_latency=50 us", "read_bandwidth=4 GB/s",
                                    "read_rate=100 k/s", "sharpness=100 %"};

}  // namespace

TEST_CASE("a calibrated drive is as both reads say, whatever of the other each of them holds") {
  for (const bool with_b1 : {false, true}) {
    CAPTURE(with_b1);
    auto sets = kAll;
    if (with_b1) sets.emplace_back("request_bandwidth=40 GB/s");
    const Scenario scenario = flash(sets);
    const auto now = drive_now(scenario, reads_of(70e-6, 5e-3));
    REQUIRE(now);
    CHECK(now->drive == "ssd0");
    CHECK(now->calibrated_latency.value == doctest::Approx(50e-6));
    CHECK(now->calibrated_bandwidth.value == doctest::Approx(4e9));
    const Scenario then = with_drive(scenario, *now);
    const Drive& drive = *then.system->drives.front().model;
    CHECK(wait_in_turn(drive, 4096, 2) == doctest::Approx(70e-6).epsilon(1e-6));
    CHECK(wait_in_turn(drive, 1 << 20, 16) == doctest::Approx(5e-3).epsilon(1e-6));
    CHECK(now->latency->value == drive.read_latency.value);
    CHECK(now->bandwidth->value == drive.read_bandwidth.value);
    CHECK(scenario.system->drives.front().model->read_latency.value == doctest::Approx(50e-6));
  }
}

TEST_CASE("what of a drive was not calibrated, or is hidden by its other limits, stays") {
  const DriveReads reads = reads_of(900e-6, 9e-3);
  CHECK(!drive_now(flash({}), reads));  // a data sheet is what is to be tested
  const auto small = drive_now(flash({"read_latency=100 us"}), reads);
  REQUIRE(small);
  CHECK(!small->bandwidth);
  // two reads of 4 KiB under way, each of which takes 900 us: roofs of 0.5 GB/s and more are far
  CHECK(small->latency->value == doctest::Approx(900e-6).epsilon(0.03));
  const auto large = drive_now(flash({"read_bandwidth=4 GB/s"}), reads);
  REQUIRE(large);
  CHECK(!large->latency);
  CHECK(large->bandwidth->value == doctest::Approx(16 * (1 << 20) / 9e-3).epsilon(0.03));
  CHECK(!drive_now(flash({"read_latency=100 us"}), reads_of(1e-6, 9e-3)));
  // 16 x 8 pieces at 20 k/s take 6.4 ms of 9: what is left is not bandwidth's for certain
  auto slow = kAll;
  slow[2] = "read_rate=20 k/s";
  const auto hidden = drive_now(flash(slow), reads);
  REQUIRE(hidden);
  CHECK(hidden->latency);
  CHECK(!hidden->bandwidth);
  CHECK(!drive_now(flash(kAll), {}));
}

TEST_CASE("the latency of a disk holds the time of its rate") {
  const Scenario scenario =
      on_drive("seagate-exos-x18-18tb", {"read_latency=12 ms", "read_rate=120 /s"});
  const auto now = drive_now(scenario, {TimedReads{{{4096}, 1}, {15e-3}}, {}});
  REQUIRE(now);
  // alone, a read of next to no bytes takes the latency of its drive
  CHECK(now->latency->value == doctest::Approx(15e-3).epsilon(0.01));
}

TEST_CASE("large reads are those of the scenario: a sample, or a window of it, in whole pages") {
  Scenario scenario = flash(kAll);
  CHECK(large_readers(scenario)->readers == 2);
  CHECK(large_readers(scenario)->copy);  // as the loader does, in either mode
  const auto block = [&](double sample, double readahead, ReadMode mode) {
    auto dataset = std::make_shared<Dataset>(*scenario.workload.dataset());
    dataset->sample_size = {sample};
    scenario.workload.dataset().entry = std::move(dataset);
    scenario.data.readahead = {readahead};
    scenario.data.mode.value = mode;
    const auto readers = large_readers(scenario);
    return readers ? readers->block.value : 0;
  };
  CHECK(block(140e6, 4 << 20, ReadMode::direct) == 8 << 20);
  CHECK(block(140e6, 4 << 20, ReadMode::buffered) == 4 << 20);
  CHECK(block(1e6, 4 << 20, ReadMode::buffered) == 244 * 4096);
  CHECK(block(1e6, 128 << 10, ReadMode::buffered) == 256 << 10);
  CHECK(block(8192, 4 << 20, ReadMode::direct) == 0);  // hardly the drive's bandwidth
}

TEST_CASE("only what was calibrated is measured, by the data set's own files") {
  const TemporaryFolder folder;
  ReplayPlan plan;
  plan.folder = folder / "set";
  plan.files = 3;
  plan.file_size = {1 << 20};
  const DriveReads none = measure_drive(flash({}), plan);  // no file is there
  CHECK(!none.small);
  CHECK(!none.large);
  make_dataset(plan);
  const DriveReads some = measure_drive(flash({"read_latency=100 us"}), plan);
  CHECK(!some.large);
  const DriveReads both = measure_drive(flash(kAll), plan);
  CHECK(both.small.has_value() == both.large.has_value());
  if (both.small) {
    CHECK(both.small->by.readers == 2);
    CHECK(both.small->each.value > 0);
    CHECK(both.large->by.block.value >= 1 << 18);
    CHECK(both.large->bandwidth().value > 0);
  } else {
    MESSAGE("files here have no O_DIRECT");
  }
}
