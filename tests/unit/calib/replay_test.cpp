// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "calib/probes/child.h"
#include "calib/replay/as_replayed.h"
#include "calib/replay/measured_replay.h"
#include "calib/replay/run_replay.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

ReplayPlan small_plan(const std::filesystem::path& folder) {
  ReplayPlan plan;
  plan.folder = folder;
  plan.files = 23;
  plan.file_size = {10000};
  plan.batch = 4;
  plan.workers = 3;
  plan.compute_time = {0.001};
  plan.epochs = 2;
  return plan;
}

std::string emulated(const std::string& rest) {
  return "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
         "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = \"samsung-pm9a3-3.84tb\"\n"
         "at = \"cpu0\"\n[workload]\nkind = \"emulated\"\njob = \"mlperf-unet3d-h100\"\n" +
         rest;
}

}  // namespace

TEST_CASE("a replay takes every whole batch, computes for as long as it should, and tidies up") {
  const TemporaryFolder folder;
  const ReplayPlan plan = small_plan(folder / "set");
  CHECK(make_dataset(plan).value == 10000);
  const auto epochs = run_replay(plan);
  REQUIRE(epochs.size() == 2);
  for (const ReplayEpoch& epoch : epochs) {
    CHECK(epoch.samples == 20);  // five whole batches of four; three samples are left over
    CHECK(epoch.computed.value == doctest::Approx(0.005));
    CHECK(epoch.time.value >= epoch.computed.value + epoch.waited.value);
  }
}

TEST_CASE("a data set is made once, goes on where it was cut, and is not mixed with another") {
  const TemporaryFolder folder;
  ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  const auto kept = sample_file(plan, 3);
  const auto time = std::filesystem::last_write_time(kept);
  std::filesystem::remove(sample_file(plan, 5));
  make_dataset(plan);
  CHECK(std::filesystem::exists(sample_file(plan, 5)));
  CHECK(std::filesystem::last_write_time(kept) == time);
  plan.file_size = {20000};
  CHECK(refusal_of([&] { make_dataset(plan); }).find("holds another data set") !=
        std::string::npos);
  plan.folder = folder / "other";
  std::filesystem::create_directories(plan.folder);
  std::ofstream(plan.folder / "letter") << "x";
  CHECK(refusal_of([&] { make_dataset(plan); }).find("holds other files") != std::string::npos);
}

TEST_CASE("a data set that two make at once is whole, and neither fails") {
  const TemporaryFolder folder;
  ReplayPlan plan = small_plan(folder / "set");
  plan.files = 400;
  std::vector<std::unique_ptr<Child>> both;
  both.reserve(2);
  for (int i = 0; i < 2; ++i)
    both.push_back(
        std::make_unique<Child>([&] { return make_dataset(plan).value == 10000 ? 0 : 1; }));
  for (const auto& one : both) CHECK(one->wait() == 0);
  CHECK(make_dataset(plan).value == 10000);
}

TEST_CASE("a data set whose note another process is writing is not taken for other files") {
  const TemporaryFolder folder;
  const ReplayPlan plan = small_plan(folder / "set");
  std::filesystem::create_directories(plan.folder);
  std::ofstream(plan.folder / "gpufeed-dataset.1.part") << "23";
  CHECK(make_dataset(plan).value == 10000);
}

TEST_CASE("what another process of the same number is writing is left alone") {
  const TemporaryFolder folder;
  const ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  const std::string ending = "." + std::to_string(getpid()) + ".part";
  const auto theirs = sample_file(plan, 3).string() + ending;
  std::ofstream(theirs) << "half of it";
  std::filesystem::remove(sample_file(plan, 3));
  make_dataset(plan);
  REQUIRE(std::filesystem::exists(theirs));
  CHECK(std::filesystem::file_size(theirs) == 10);
}

TEST_CASE("what is in the way of a sample, and a sample that is too long, are told") {
  const TemporaryFolder folder;
  const ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  const auto file = sample_file(plan, 7);
  std::ofstream(file, std::ios::app) << "more";
  CHECK(refusal_of([&] { make_dataset(plan); }).find("holds 10 kB") != std::string::npos);
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  CHECK(refusal_of([&] { make_dataset(plan); }).find("cannot be written: Is a directory") !=
        std::string::npos);
}

TEST_CASE("a file that is gone ends the replay by a message") {
  const TemporaryFolder folder;
  const ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  std::filesystem::remove(sample_file(plan, 7));
  CHECK(refusal_of([&] { run_replay(plan); }).starts_with("replay: error: cannot be read: "));
}

TEST_CASE("a loader that dies is heard, and what a replay costs by itself is measured") {
  const TemporaryFolder folder;
  ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  const ReplayLoader loader = measure_loader(plan);
  CHECK(loader.worker_start.value > 0);
  CHECK(loader.take_over.value > 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "set"))
    CHECK(!entry.is_regular_file() != (entry.path().filename() == "gpufeed-dataset"));
  CHECK(loader.place.value == 0);
  plan.file_size = {5000};  // files are larger than their place in a batch
  CHECK(refusal_of([&] { run_replay(plan); }) ==
        "replay: error: a worker could not read or decode a file\n");
}

TEST_CASE("large direct samples are read apart, and placing them in a batch is measured") {
  const TemporaryFolder folder;
  ReplayPlan plan = small_plan(folder / "set");
  plan.files = 4;
  plan.batch = 2;
  plan.direct = true;
  plan.file_size = {4 << 20};
  make_dataset(plan);
  const int fd = open(sample_file(plan, 0).c_str(), O_RDONLY | O_DIRECT);
  if (fd < 0) {
    MESSAGE("skipped: files here have no O_DIRECT");
    return;
  }
  close(fd);
  const ReplayLoader loader = measure_loader(plan);
  CHECK(loader.place.value > 0);
  plan.direct = false;
  CHECK(measure_loader(plan).place.value == 0);
}

TEST_CASE("a replay is predicted as its own loader works: it takes batches over between steps") {
  Scenario scenario =
      parse_scenario(emulated("[data]\nat = \"ssd0\"\n"), "one.toml", own_catalog());
  scenario.loader.take_over_time = {0.5};  // of PyTorch, which does not run here
  scenario.loader.process_bandwidth = Bandwidth{1e9};
  scenario.loader.batch_overhead = {0.5};
  const Scenario replayed = as_replayed(scenario, {{0.002}, {0.001}, {0.003}, {0.004}}, {});
  CHECK(replayed.loader.worker_start.value.value == 0.002);
  CHECK(replayed.loader.take_over_time.value == 0.003);
  CHECK(!replayed.loader.process_bandwidth);
  CHECK(replayed.loader.take_over_wait.value == 0.001);
  CHECK(replayed.loader.batch_overhead.value == 0.004);
  CHECK(replayed.data.open_requests.value == 0);
}

TEST_CASE("what a case of a replay sets makes of its scenario what was predicted") {
  const std::string text = emulated("[data]\nat = \"ssd0\"\n[loader]\ntake_over_time = \"1 s\"\n");
  const Scenario scenario = parse_scenario(text, "one.toml", own_catalog());
  const ReplayLoader loader{{0.002}, {0.001}, {0.003}, {0.004}};
  std::vector<Override> sets;
  MachineNow machine{DriveNow{"ssd0", {}, {}, {}, Seconds{123e-6}, Bandwidth{5.25e9}},
                     CopyNow{Bandwidth{7.5e9}, {}},
                     DecoderNow{{1.25e-3}},
                     {PagesNow{{0.7}, {}}, RefillNow{{2e9}, {4e9}}}};
  const auto words = replayed_sets(scenario, loader, machine);
  sets.reserve(words.size());
  for (const std::string& set : words) sets.push_back(parse_override(set));
  const Scenario replayed = as_replayed(scenario, loader, machine);
  const Scenario told = parse_scenario(text, "one.toml", own_catalog(), sets);
  CHECK(told.loader.worker_start.value.value == replayed.loader.worker_start.value.value);
  CHECK(told.loader.take_over_time.value == replayed.loader.take_over_time.value);
  CHECK(told.loader.take_over_wait.value == 0.001);
  CHECK(told.loader.batch_overhead.value == 0.004);
  CHECK(told.loader.pinned_memory == replayed.loader.pinned_memory);
  CHECK(told.data.open_requests.value == replayed.data.open_requests.value);
  for (const Scenario* one : {&told, &replayed}) {
    CHECK(one->system->drives.front().model->read_latency.value == doctest::Approx(123e-6));
    CHECK(one->system->drives.front().model->read_bandwidth.value == doctest::Approx(5.25e9));
    CHECK(one->system->sockets.front().model->core_copy_bandwidth->value == doctest::Approx(7.5e9));
    CHECK(one->system->pages_apart.value == doctest::Approx(0.7));
    CHECK((*one->workload.dataset()).decode_time->value == doctest::Approx(1.25e-3));
  }
  machine.drive->latency.reset();
  machine.copy.reset();
  machine.decoder.reset();
  machine.full_cache.pages.reset();
  CHECK(replayed_sets(scenario, loader, machine).size() == words.size() - 4);
}

TEST_CASE("what cannot be run here is refused with every reason") {
  const Scenario two = parse_scenario(
      emulated("gpus = 2\n[data]\nat = \"ssd0\"\n[loader]\nstyle = \"tensorflow\"\n"), "two.toml",
      own_catalog());
  const std::string refusal = refusal_of([&] { plan_replay(two, "set"); });
  CHECK(refusal.find("replay runs one accelerator on one machine; found 2") != std::string::npos);
  CHECK(refusal.find("replay has PyTorch's loader; loader.style is \"tensorflow\"") !=
        std::string::npos);
}

TEST_CASE("parts are what they were in the mean of all moments, and how far they went is told") {
  const BlockReaders by{.block = {4096}, .readers = 2};
  const MeasuredParts before{ReplayLoader{{2}, {4}, {6}, {8}},
                             {TimedReads{by, {1e-4}}, {}},
                             CopyNow{{6e9}, {9e9}},
                             DecoderNow{{2e-3}}};
  const MeasuredParts between{
      {}, {TimedReads{by, {1.05e-4}}, {}}, CopyNow{{7.5e9}, {9e9}}, DecoderNow{{4e-3}}};
  const MeasuredParts after{ReplayLoader{{4}, {6}, {8}, {8}},
                            {TimedReads{by, {1.1e-4}}, {}},
                            CopyNow{{1e10}, {9e9}},
                            DecoderNow{{3e-3}}};
  const MeasuredParts mean = mean_of({before, between, after});
  REQUIRE(mean.loader);
  CHECK(mean.loader->worker_start.value == 3);
  CHECK(mean.loader->wake.value == 5);
  CHECK(mean.loader->take_over.value == 7);
  CHECK(mean.loader->place.value == 8);
  CHECK(mean.drive.small->each.value == doctest::Approx(1.05e-4));
  CHECK(mean.drive.small->by.readers == 2);
  CHECK_FALSE(mean.drive.large);
  CHECK(mean.copy->now.value == doctest::Approx(7.5e9));  // 3 / (1/6 + 1/7.5 + 1/10)
  CHECK(mean.copy->calibrated.value == 9e9);
  CHECK(mean.decoder->of_sample.value == doctest::Approx(3e-3));
  CHECK(drift_of({before, between, after}).value == doctest::Approx(1.0 / 3));  // 2 and 4 of 3 ms
  MeasuredParts unknown = after;
  unknown.copy.reset();
  unknown.decoder.reset();
  MeasuredParts slower = before;
  slower.decoder.reset();
  CHECK(mean_of({before, unknown}).copy->now.value == 6e9);
  CHECK(drift_of({slower, unknown}).value == doctest::Approx(0.05 / 1.05));
  CHECK(drift_of({before}).value == 0);
}

TEST_CASE("a replay pauses after a third of its epochs and after two to see how the machine is") {
  const TemporaryFolder folder;
  const Scenario scenario =
      parse_scenario(emulated("[data]\nat = \"ssd0\"\n"), "one.toml", own_catalog());
  ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  const std::vector<std::size_t> moments{2, 3, 4, 4, 4};  // before and after, too
  for (int epochs = 1; epochs <= 5; ++epochs) {
    plan.epochs = epochs;
    const MeasuredReplay replay = measure_replay(scenario, plan);
    CHECK(std::ssize(replay.epochs) == epochs);
    REQUIRE(replay.moments.size() == moments[static_cast<std::size_t>(epochs - 1)]);
    CHECK(replay.moments.front().loader);
    CHECK(replay.moments.back().loader);
    CHECK(replay.moments[1].loader.has_value() == (replay.moments.size() == 2));
  }
}

TEST_CASE(
    "how pages lie is looked at after each epoch, where it is asked for and the kernel tells") {
  const TemporaryFolder folder;
  ReplayPlan plan = small_plan(folder / "set");
  make_dataset(plan);
  for (const ReplayEpoch& epoch : run_replay(plan)) CHECK_FALSE(epoch.apart);
  plan.look_at_pages = true;
  for (const ReplayEpoch& epoch : run_replay(plan)) {
    if (geteuid() == 0) REQUIRE(epoch.apart);
    CHECK(epoch.apart.value_or(0) >= 0);
    CHECK(epoch.apart.value_or(0) <= 1);
  }
}
