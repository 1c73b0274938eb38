// SPDX-License-Identifier: Apache-2.0
// Stages one after the other, with a copy where the place changes: bytes over the narrowest part.
#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/kinds.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kData = 1e12;
constexpr double kRead = 2e9;   ///< of one drive
constexpr double kWrite = 1e9;  ///< likewise
constexpr double kStoreRead = 5e9;
constexpr double kStoreWrite = 4e9;
constexpr double kPort = 3e9;  ///< of one NIC

/// One socket; drives "ssd0", "ssd1" in volume "a", "ssd2" in "b"; NICs "nic0", "nic1" to the
/// stores "nas" and "other".
Scenario box(Layout layout = Layout::raid0, Bandwidth memory = 1_TBps) {
  auto system = named<System>("box");
  add_socket(system, "cpu0", cpu(memory));
  const auto wide = link(1_TBps);
  const auto ssd = drive(wide, 1, Bandwidth{kRead}, Bandwidth{kWrite}, Rate{1e12});
  for (int i = 0; i < 3; ++i) add_device(system.drives, fmt::format("ssd{}", i), "cpu0", ssd);
  for (int i = 0; i < 2; ++i)
    add_device(system.nics, fmt::format("nic{}", i), "cpu0", nic(wide, 1, Bandwidth{kPort}));
  Volume a, b;
  a.id = Label("a");
  a.layout = layout;
  a.drives = {{Label("ssd0"), {}}, {Label("ssd1"), {}}};
  b.id = Label("b");
  b.drives = {{Label("ssd2"), {}}};
  system.volumes = {a, b};
  Scenario scenario = scenario_on(std::move(system));
  Array store = *array(Bandwidth{kStoreRead}, Rate{1e12});
  store.write_bandwidth = Bandwidth{kStoreWrite};
  for (const auto* name : {"nas", "other"})
    add_store(scenario, name, ref(Array(store)), {"nic0", "nic1"});
  become<kind::Pipeline>(scenario.workload).input = Bytes{kData};
  return scenario;
}

PipelineStage stage(std::string name, std::string at, double output) {
  PipelineStage out;
  out.name = std::move(name);
  out.at.id = Label(std::move(at));
  out.output = {output};
  return out;
}

Scenario with_stages(Scenario scenario, const std::vector<PipelineStage>& stages) {
  auto& asked = scenario.workload.get<kind::Pipeline>().stages;
  asked = stages;
  for (PipelineStage& stage : asked) stage.at = part(scenario, stage.at.id);
  scenario.data.at = asked.front().at;
  return scenario;
}

Result run(const Scenario& scenario, const std::vector<PipelineStage>& stages) {
  return simulate(with_stages(scenario, stages));
}

double seconds(const Result& result, std::size_t step) {
  return result.pipeline->steps.at(step).time_s;
}

/// Of a device that reads at R and writes at W, sharing its time: seconds for each byte read.
double shared(double read, double write, double output) { return 1 / read + output / write; }

}  // namespace

TEST_CASE("a stage that writes nothing reads at the rate of its place") {
  CHECK(seconds(run(box(), {stage("explore", "a", 0)}), 0) == about(kData / (2 * kRead)));
  CHECK(seconds(run(box(), {stage("explore", "ssd2", 0)}), 0) == about(kData / kRead));
  CHECK(seconds(run(box(), {stage("explore", "nas", 0)}), 0) == about(kData / kStoreRead));
}

TEST_CASE("reads and writes of one place share its time") {
  for (const double output : {0.25, 1.0, 3.0}) {
    CAPTURE(output);
    CHECK(seconds(run(box(), {stage("clean", "a", output)}), 0) ==
          about(kData * shared(2 * kRead, 2 * kWrite, output)));
    CHECK(seconds(run(box(), {stage("clean", "nas", output)}), 0) ==
          about(kData * shared(kStoreRead, kStoreWrite, output)));
  }
}

TEST_CASE("mirrors and parity are written as well") {
  // RAID 1 over two drives: both write every byte, each reads half.
  CHECK(seconds(run(box(Layout::raid1), {stage("clean", "a", 1)}), 0) ==
        about(kData * shared(2 * kRead, kWrite, 1)));
}

TEST_CASE("what a stage reads and writes shares the memory, and network cards carry each way") {
  // Two passes for each byte: in and out.
  CHECK(seconds(run(box(Layout::raid0, 1_GBps), {stage("clean", "a", 0.5)}), 0) ==
        about(kData * 1.5 / 1e9));
  Scenario fast = box();
  edit(fast.store["nas"].model,
       [](Array& store) { store.read_bandwidth = store.write_bandwidth.emplace(1_TBps); });
  // Full duplex ports: what is written does not slow what is read.
  CHECK(seconds(run(fast, {stage("clean", "nas", 1)}), 0) == about(kData / (2 * kPort)));
  CHECK(seconds(run(fast, {stage("clean", "nas", 2)}), 0) == about(kData * 2 / (2 * kPort)));
}

TEST_CASE("a stage is as slow as its servers, by bytes or by samples") {
  auto clean = stage("clean", "nas", 1);
  clean.rate = 100_MBps;
  clean.servers = 4;
  const Result result = run(box(), {clean});
  CHECK(seconds(result, 0) == about(kData / 400e6));
  CHECK(result.pipeline->steps[0].limit == fact<LimiterCode::servers>(4));

  Scenario images = box();
  auto dataset = named<Dataset>("images");
  dataset.samples = 1'000'000;
  dataset.sample_size = 200_kB;
  images.workload.get<kind::Pipeline>().input = {};
  images.workload.dataset() = ref(std::move(dataset));
  auto halve = stage("halve", "nas", 0.5);
  auto train = stage("train", "nas", 0);
  train.samples_rate = 1000_per_s;
  const Result trained = run(images, {halve, train});
  // Half the bytes, but as many samples as before.
  CHECK(trained.pipeline->steps[1].read_B == about(1e11));
  CHECK(seconds(trained, 1) == about(1000));
  CHECK(trained.pipeline->steps[1].limit == fact<LimiterCode::given_rate>());
}

TEST_CASE("data are copied where the place changes, and nowhere else") {
  const auto two = run(box(), {stage("clean", "nas", 0.5), stage("train", "a", 0)});
  REQUIRE(two.pipeline->steps.size() == 3);
  const auto& copy = two.pipeline->steps[1];
  CHECK(copy.name == "copy to train");
  CHECK(copy.copies);
  CHECK(copy.place == "nas -> a");
  CHECK(copy.read_B == about(kData / 2));
  CHECK(copy.written_B == about(kData / 2));
  // One NIC carries 3 GB/s; the two drives write 1 GB/s each.
  CHECK(copy.time_s == about(kData / 2 / (2 * kWrite)));
  CHECK(copy.limit == fact<LimiterCode::parts>(std::vector<std::string>{"ssd0", "ssd1"}));
  CHECK(two.pipeline->copied_B == about(kData / 2));
  CHECK(two.pipeline->copy_s == copy.time_s);
  const double all = seconds(two, 0) + seconds(two, 1) + seconds(two, 2);
  CHECK(two.time_to_result_s == about(all));
  CHECK(two.time_to_first_result_s == about(seconds(two, 0) + seconds(two, 1)));
  CHECK(two.pipeline->copy_share == about(copy.time_s / all));

  const auto shared_store = run(box(), {stage("clean", "nas", 0.5), stage("train", "nas", 0)});
  CHECK(shared_store.pipeline->steps.size() == 2);
  CHECK(shared_store.pipeline->copy_s == 0);
}

TEST_CASE("copies between any two kinds of place take the narrowest part of the way") {
  const auto copy = [](const std::string& from, const std::string& to) {
    return seconds(run(box(), {stage("one", from, 0), stage("two", to, 0)}), 1);
  };
  CHECK(copy("a", "b") == about(kData / kWrite));
  CHECK(copy("b", "a") == about(kData / kRead));
  CHECK(copy("a", "nas") == about(kData / kPort));  // over one card
  CHECK(copy("nas", "other") == about(kData / kStoreWrite));
}

TEST_CASE("after a stage that writes nothing the next one reads the same data") {
  const auto result = run(
      box(), {stage("clean", "nas", 0.5), stage("explore", "nas", 0), stage("train", "nas", 0)});
  CHECK(result.pipeline->steps[1].read_B == about(kData / 2));
  CHECK(result.pipeline->steps[1].written_B == 0);
  CHECK(result.pipeline->steps[2].read_B == about(kData / 2));
}

TEST_CASE("the first result comes as the stage that trains begins") {
  auto train = stage("train", "nas", 0);
  train.trains = true;
  const auto result = run(box(), {stage("clean", "nas", 1), train, stage("infer", "nas", 0.01)});
  CHECK(result.pipeline->first_result == "train");
  CHECK(result.time_to_first_result_s == about(seconds(result, 0)));
}

TEST_CASE("data that lie elsewhere at first are copied to the first stage") {
  Scenario scenario = with_stages(box(), {stage("clean", "a", 0)});
  scenario.data.at = part(scenario, "nas");
  const auto result = simulate(scenario);
  REQUIRE(result.pipeline->steps.size() == 2);
  CHECK(result.pipeline->steps[0].name == "copy to clean");
}

TEST_CASE("a copy onto drives takes as long as data.staging says") {
  const std::string store =
      "[store.nas]\n"
      "model = \"netapp-aff-a800\"\n";
  for (const std::string rate : {"", "617.3 MB/s"}) {
    CAPTURE(rate);
    const std::string staging_rate = rate.empty() ? "" : fmt::format(", rate = \"{}\"", rate);
    const auto staged = simulate(parse_scenario(
        fmt::format("system = \"nvidia-dgx1-p100\"\n"
                    "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-200kb-10m\"\n"
                    "[data]\nat = \"scratch\"\nstaging = {{ from = \"nas\"{} }}\n{}",
                    staging_rate, store),
        "staged.toml", own_catalog()));
    const std::string copy_rate = rate.empty() ? "" : fmt::format("copy_rate = \"{}\"\n", rate);
    const auto piped = simulate(parse_scenario(
        fmt::format("system = \"nvidia-dgx1-p100\"\n"
                    "[workload]\nkind = \"pipeline\"\ndataset = \"imagenet-200kb-10m\"\n"
                    "[[workload.stage]]\nname = \"train\"\nat = \"scratch\"\noutput = \"0 %\"\n"
                    "{}[data]\nat = \"nas\"\n{}",
                    copy_rate, store),
        "piped.toml", own_catalog()));
    CHECK(seconds(piped, 0) == about(staged.staging_s));
  }
}

TEST_CASE("local SSDs or FlashBlade: 2.7 h with the copy, 1.8 h without") {
  // Pure Storage, Keep Those GPUs Busy (2017): 10 million images of 200 kB at 1542 images/s, 2 TB
  // copied in within 0.9 h.
  const auto train_at = [&](const std::string& place, const std::string& more) {
    return simulate(parse_scenario(
        "system = \"nvidia-dgx1-p100\"\n"
        "[workload]\nkind = \"pipeline\"\ndataset = \"imagenet-200kb-10m\"\n"
        "[[workload.stage]]\nname = \"train\"\nsamples_rate = \"1542 samples/s\"\n"
        "output = \"0 %\"\nat = \"" +
            place + "\"\n" + more +
            "[data]\nat = \"flashblade\"\n"
            "[store.flashblade]\nmodel = \"pure-flashblade-15-blade\"\nvia = [\"ib*\"]\n",
        "seed.toml", own_catalog()));
  };
  const auto local = train_at("scratch", "copy_rate = \"617.3 MB/s\"\n");
  const auto shared_store = train_at("flashblade", "");
  constexpr double kHour = 3600;
  CHECK(local.time_to_first_result_s / kHour == approx(0.9).epsilon(0.001));
  CHECK(local.time_to_result_s / kHour == approx(2.7).epsilon(0.002));
  CHECK(shared_store.time_to_first_result_s == 0);
  CHECK(shared_store.time_to_result_s / kHour == approx(1.8).epsilon(0.002));
  CHECK(local.pipeline->copy_share == approx(1.0 / 3).epsilon(0.002));
}
