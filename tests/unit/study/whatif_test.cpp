// SPDX-License-Identifier: Apache-2.0
// Changes that are proposed: what they give is what their options give, and what nobody should buy
// is not among them.
#include "reports/study/whatif.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/what_if.h"

using namespace gpufeed;

namespace {

/// GPUs that take 16 MB for a millisecond's work: the drives bind.
constexpr const char* kHungry =
    "system = { chassis = 'supermicro-as-4125gs-tnrt', cpu = '2 x amd-epyc-9554', "
    "memory = '768 GB', gpu = '4 x nvidia-l40s', drives = '2 x micron-7450-pro-7.68tb' }\n"
    "[workload]\nbatch_per_gpu = 8\nsamples = 20000\nprecision = 'fp16'\n"
    "model = { title = 'm', parameters = 1000000, input_size = '16 MB', source = 's', "
    "basis = 'measured' }\n"
    "dataset = { title = 'd', samples = 20000, sample_size = '16 MB', source = 's', "
    "basis = 'measured', decode_time = '1 ms' }\n"
    "compute = [{ gpu = 'nvidia-l40s', batch = 8, precision = 'fp16', rate = '1000 samples/s', "
    "source = 's', basis = 'measured' }]\n";

std::vector<Change> purchases(const ScenarioSource& source) {
  return purchase_changes(source.load(), own_catalog().remembering(), source);
}

}  // namespace

TEST_CASE("the options of every row give its figures") {
  for (const char* example :
       {"02_one_root_or_two/scenario.toml", "03_data_density/scenario_video.toml",
        "03_data_density/scenario_workstation.toml", "05_gpudirect_or_bounce/scenario.toml",
        "06_how_many_cores/scenario.toml"}) {
    const ScenarioSource source = source_of(kExamples + example);
    const WhatIf report = tried(source);
    Scenario now = source.load();
    now.run.once();
    CHECK(simulate(now).throughput_samples_per_s == report.now.throughput_samples_per_s);
    for (const WhatIfRow& row : report.rows) {
      CAPTURE(row.change);
      std::vector<Override> overrides;
      for (const auto& set : row.sets) overrides.push_back(parse_override(set));
      Scenario changed = source.load(overrides);
      changed.run.once();
      const Result result = simulate(changed);
      CHECK(result.throughput_samples_per_s == row.after.throughput_samples_per_s);
      CHECK(result.price_USD == row.after.price_USD);
      CHECK(result.time_to_result_s == row.after.time_to_result_s);
      CHECK(result.job_samples_per_s == row.after.job_samples_per_s);
      CHECK(row.throughput_gain ==
            row.after.throughput_samples_per_s / report.now.throughput_samples_per_s - 1);
      CHECK(row.gain == row.after.job_samples_per_s / report.now.job_samples_per_s - 1);
      CHECK(row.gain > row.noise);
    }
  }
}

TEST_CASE("video on SATA wants storage, and the board game nothing") {
  const WhatIf video = tried("03_data_density/scenario_video.toml");
  REQUIRE_FALSE(video.rows.empty());
  for (const auto& row : video.rows)
    CHECK((row.subject == "drives" || row.subject == "number of drives"));
  // Its GPUs compute all the time: in another format, or in larger batches, each step costs less,
  // but what is trained then is another network.
  const WhatIf game = tried("03_data_density/scenario.toml");
  CHECK(game.rows.empty());
  REQUIRE_FALSE(game.altering.empty());
  for (const auto& row : game.altering)
    CHECK((row.subject == "batch" || row.subject == "precision"));
}

TEST_CASE("a format of higher peak is proposed where products are in a lower one") {
  const Written scenario(
      "system = 'nvidia-dgx-a100'\n"
      "[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\nsamples = 100000\n");
  const auto formats = [&](const std::string& now) {
    std::vector<std::string> sets;
    const auto source = scenario.with({"workload.precision=" + now});
    for (const Change& change : setting_changes(source.load(), own_catalog()))
      if (change.subject == "precision") sets.push_back(change.sets.front());
    return sets;
  };
  using Sets = std::vector<std::string>;
  CHECK(formats("fp32") == Sets{"workload.precision=tf32", "workload.precision=fp16"});
  CHECK(formats("tf32") == Sets{"workload.precision=fp16"});
  CHECK(formats("fp16").empty());
  CHECK(formats("bf16").empty());

  // Each step computes in the other format: GPUs that were never idle get as much faster.
  const auto report = tried(scenario.with({"workload.precision=tf32"}), true);
  const WhatIfRow* mixed = with_set(report.altering, "workload.precision=fp16");
  REQUIRE(mixed);
  CHECK(mixed->is_free);
  CHECK(mixed->gain > 0);
}

TEST_CASE("a format in which nobody measured the network says so") {
  const auto report = tried(source_of(kExamples + "03_data_density/scenario.toml"), true);
  const WhatIfRow* mixed = with_set(report.altering, "workload.precision=fp16");
  REQUIRE(mixed);
  CHECK(mixed->why.ends_with(
      "; mind: nobody measured AlphaZero for Go, 20 blocks of 256 filters on NVIDIA Tesla P100 "
      "SXM2 16 GB in fp16"));
}

TEST_CASE("stores that are for sale are proposed where the store binds") {
  // The GPUs want 64 GB/s, the store gives 1.1, and the card takes 24.
  const Written scenario(
      std::string("data = { at = 'nas' }\n"
                  "store = { nas = { model = 'linux-nfs-server-10g', protocol = 'none' "
                  "} }\n") +
      kHungry);
  const std::vector<std::string> card{"system.nics=1 x nvidia-connectx-7-ndr200-200g"};
  const ScenarioSource source = scenario.with(card);
  const std::string now_title = source.load().store.begin()->second.model->title;
  std::set<std::string> stores;
  for (const Change& change : purchases(source))
    if (change.subject == "store" && change.text.ends_with("instead of " + now_title))
      stores.insert(change.sets.front());
  CHECK(stores.contains("store.nas.model=netapp-ef600"));
  CHECK_FALSE(stores.contains("store.nas.model=amazon-s3-one-prefix"));  // rented
  CHECK_FALSE(stores.contains("store.nas.model=linux-nfs-server-10g"));

  // One that may have more blades gets as many as its figures are for.
  const ScenarioSource blades =
      scenario.with({card.front(), "store.nas.model=dell-isilon-f800", "store.nas.blades=8"});
  for (const Change& change : purchases(blades))
    if (change.sets.front() == "store.nas.model=netapp-aff-a90")
      CHECK(change.sets.back() == "store.nas.blades=2");

  // Slower and later in everything than 320 GB/s of 12 MIOPS.
  const ScenarioSource fast =
      scenario.with({card.front(), "store.nas.model=weka-wekapod-prime-8-servers"});
  for (const Change& change : purchases(fast))
    CHECK(change.sets.front() != "store.nas.model=qumulo-nvme-4-nodes");

  const WhatIf report = tried(source);
  // Several that fill the card are equals, and the cheapest of them stands for all.
  CHECK(std::ranges::count(report.rows, "store", &WhatIfRow::subject) == 1);
  CHECK(with_set(report, "store.nas.model=hpe-cray-c500"));
  // Drives of its own bind without any store.
  CHECK_FALSE(has_subject(tried("03_data_density/scenario_video.toml"), "store"));
}

TEST_CASE("a single root is proposed where gradients are large, and not where they are small") {
  // Two machines of the catalog have all GPUs at one root; the cheaper stands for both.
  const auto proposed = [](const char* example) {
    const WhatIf report = tried(example);
    return with_set(report, "system=supermicro-4028gr-tr2") ||
           with_set(report, "system=hpe-apollo-6500-8to1");
  };
  CHECK(proposed("02_one_root_or_two/scenario.toml"));
  CHECK_FALSE(proposed("02_one_root_or_two/scenario_resnet.toml"));
}

TEST_CASE("drives built for more writes are proposed only where the job writes") {
  const Written scenario(kHungry);
  const auto heavier = [](const std::vector<Change>& changes) {
    std::set<std::string> found;
    for (const Change& change : changes)
      if (change.subject == "drives")
        for (const char* name : {"micron-7600-max", "micron-9550-max", "kioxia-cm7-v", "ps1030"})
          if (change.sets.front().find(name) != std::string::npos) found.insert(name);
    return found.size();
  };
  const ScenarioSource source = scenario.with();
  const auto reading = purchases(source);
  CHECK(std::ranges::count(reading, "drives", &Change::subject) > 5);
  CHECK(heavier(reading) == 0);
  const ScenarioSource saving =
      scenario.with({"checkpoint={ interval_steps = 100, at = 'scratch' }"});
  CHECK(heavier(purchases(saving)) == 4);
}

TEST_CASE("a chassis gets no more drives than it has bays for") {
  const Written scenario(kHungry);  // two drives, four bays
  const ScenarioSource source = scenario.with();
  const auto changes = purchases(source);
  std::vector<std::string> sets;
  for (const Change& change : changes)
    if (change.subject == "number of drives") sets.push_back(change.sets.front());
  CHECK(sets == std::vector<std::string>{"system.drives=4 x micron-7450-pro-7.68tb",
                                         "system.drives=8 x micron-7450-pro-7.68tb"});
  const WhatIf report = tried(source);
  CHECK(with_set(report, sets[0]));
  CHECK_FALSE(with_set(report, sets[1]));
  CHECK(report.refused > 0);
}

TEST_CASE(
    "another precision is proposed where matrix units have it, and gives the measured rates") {
  TemporaryFolder folder;
  const auto on = [&](const std::string& machine) {
    folder.write("a.toml", "system = '" + machine +
                               "'\n[workload]\nmodel = 'ssd300-resnet50'\ngpus = 1\n"
                               "batch_per_gpu = 32\nsamples = 20000\ndataset = { title = 'd', "
                               "samples = 20000, sample_size = '1 kB', source = 's', "
                               "basis = 'measured' }\n[loader]\ndecode = 'none'\n");
    return tried(source_of(folder / "a.toml"), true);
  };
  const WhatIf v100 = on("nvidia-dgx1-v100");
  const WhatIfRow* row = with_set(v100.altering, "workload.precision=fp16");
  REQUIRE(row);
  // 107.22 and 296.8 images/s at batches of 32 were measured on this GPU.
  CHECK(row->gain == doctest::Approx(296.8 / 107.22 - 1).epsilon(0.02));
  // The P100 has packed fp16 only.
  CHECK_FALSE(with_set(on("nvidia-dgx1-p100").altering, "workload.precision=fp16"));
  folder.write("b.toml", kHungry);  // rates of one's own, in fp16 alone
  for (const Change& change : setting_changes(source_of(folder / "b.toml").load(), own_catalog()))
    CHECK(change.subject != "precision");
}

TEST_CASE("flash is proposed for disks where a chassis' bays take it") {
  std::string disks = kHungry;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"supermicro-as-4125gs-tnrt",
                                                                     "supermicro-sys-621c-tn12r"},
                                 {"2 x amd-epyc-9554", "2 x intel-xeon-gold-6430"},
                                 {"768 GB", "512 GB"},
                                 {"4 x nvidia-l40s", "1 x nvidia-l4"},
                                 {"gpu = 'nvidia-l40s'", "gpu = 'nvidia-l4'"},
                                 {"2 x micron-7450-pro-7.68tb", "2 x seagate-exos-x20-20tb"}})
    disks.replace(disks.find(from), from.size(), to);
  const Written scenario(disks);
  const WhatIf report = tried(scenario.with());
  const auto flash = std::ranges::find_if(report.rows, [](const WhatIfRow& row) {
    return row.subject == "drives" && row.why.starts_with("flash in the place of disks");
  });
  REQUIRE(flash != report.rows.end());
  CHECK(flash->gain > 5);
}

TEST_CASE("a drive in another slot, or of less capacity, is said to be that") {
  const Written scenario(
      "[system]\nchassis = 'desktop-am5'\ncpu = '1 x amd-ryzen-9-9950x'\n"
      "memory = '64 GB'\ngpu = '1 x nvidia-rtx-4080'\n"
      "drives = '1 x samsung-870-evo-4tb'\n[workload]\nmodel = 'resnet-50'\n"
      "dataset = 'imagenet-1k'\nprecision = 'fp16'\nbatch_per_gpu = 128\n");
  const auto why = [&](const std::string& drives, const std::string& other) {
    const ScenarioSource source = scenario.with({"system.drives=1 x " + drives});
    for (const Change& change : purchases(source))
      if (change.sets.front() == "system.drives=1 x " + other) return change.why;
    return std::string("no such change");
  };
  CHECK(why("samsung-870-evo-4tb", "sk-hynix-p41-1tb") ==
        "a faster drive, in M.2 slots; one holds 1 TB instead of 4 TB");
  CHECK(why("samsung-860-evo-1tb", "sk-hynix-p41-1tb") == "a faster drive, in M.2 slots");
}

TEST_CASE("of a rented machine no part is for sale, and others are rented in its place") {
  const Written scenario(
      "system = 'aws-p4d.24xlarge'\n[workload]\nmodel = 'resnet-50'\n"
      "dataset = 'imagenet-1k'\nprecision = 'fp16'\nbatch_per_gpu = 256\nepochs = 2\n");
  const ScenarioSource source = scenario.with();
  const auto changes = purchases(source);
  CHECK(std::ranges::all_of(changes, [&](const Change& change) {
    return change.subject == "machine" && scenario.with(change.sets).load().system->rent_per_hour;
  }));
}

TEST_CASE("stages that wait want more micro-batches or fewer stages, and stale gradients a sum") {
  TemporaryFolder folder;
  const std::string job =
      "system = 'nvidia-dgx-a100'\n[workload]\nmodel = 'bert-large'\n"
      "dataset = 'mlperf-bert'\nprecision = 'fp16'\nbatch_per_gpu = 8\n"
      "samples = 200000\n[loader]\ndecode = 'none'\n";
  folder.write("a.toml", job + "[parallel]\npipeline = 8\n");
  const WhatIf staged = tried(source_of(folder / "a.toml"), true);
  REQUIRE(has_subject(staged, "micro-batches"));
  REQUIRE(has_subject(staged, "pipeline"));
  // One micro-batch keeps one of eight stages busy, eight of them 8 of 15.
  const WhatIfRow* row = with_set(staged, "parallel.micro_batches=8");
  REQUIRE(row);
  CHECK(row->gain == doctest::Approx(8 * 8.0 / 15 - 1).epsilon(0.05));
  folder.write("b.toml", job + "[exchange]\nmode = 'asynchronous'\n");
  CHECK(with_set(tried(source_of(folder / "b.toml"), true), "exchange.mode=synchronous") ==
        nullptr);  // it comes with its algorithm
  CHECK(has_subject(tried(source_of(folder / "b.toml"), true), "exchange"));
}

TEST_CASE("settings cost nothing, and come first") {
  const WhatIf report = tried("02_one_root_or_two/scenario.toml");
  REQUIRE(report.rows.size() > 2);
  CHECK(report.rows.front().is_free);
  CHECK(std::ranges::is_partitioned(report.rows, &WhatIfRow::is_free));
  const WhatIf free = tried(source_of(kExamples + "02_one_root_or_two/scenario.toml"), true);
  CHECK(std::ranges::all_of(free.rows, &WhatIfRow::is_free));
  for (std::size_t i = 0; i < free.rows.size(); ++i)
    CHECK(free.rows[i].sets == report.rows[i].sets);
  CHECK_FALSE(has_subject(free, "machine"));
}

TEST_CASE("every change that was tried is proposed, or told with its cause and its own noise") {
  const WhatIf report = tried(source_of(kExamples + "03_data_density/scenario_video.toml"));
  CHECK(std::ssize(report.rows) + std::ssize(report.altering) + std::ssize(report.rejected) +
            std::ssize(report.savings) <=
        report.tried + report.refused + std::ssize(report.faults));
  REQUIRE_FALSE(report.rejected.empty());
  for (const RejectedChange& change : report.rejected) {
    CAPTURE(change.change);
    CHECK_FALSE(change.cause.empty());
    CHECK(change.gain.has_value() ==
          (change.verdict != Rejected::not_possible && change.verdict != Rejected::bounded));
    if (change.verdict == Rejected::no_difference) CHECK(std::abs(*change.gain) <= *change.noise);
    if (change.verdict == Rejected::slower) CHECK(*change.gain < -*change.noise);
  }
  const RejectedChange* idle = rejected_with(report, "loader.persistent_workers=true");
  REQUIRE(idle);
  CHECK(idle->cause == "at most 37.29 samples/s, by ssd0, ssd1, ssd2, ssd3");
}

TEST_CASE("what costs less and is as fast is a saving, never what is slower") {
  // GPUs of little work: drives and cores are there in plenty.
  std::string idle = kHungry;
  idle.replace(idle.find("rate = '1000 samples/s'"), 23, "rate = '10 samples/s'");
  const WhatIf report = tried(Written(idle).with());
  REQUIRE_FALSE(report.savings.empty());
  for (const WhatIfRow& row : report.savings) {
    CAPTURE(row.change);
    CHECK(*row.price_change_USD < 0);
    CHECK(row.gain >= -row.noise);
    CHECK(std::ranges::count(report.savings, row.subject, &WhatIfRow::subject) == 1);
  }
  CHECK(std::ranges::count(report.savings, "drives", &WhatIfRow::subject) == 1);
  CHECK(std::ranges::count(report.savings, "processors", &WhatIfRow::subject) == 1);
  // Where the drives bind, fewer of them save nothing.
  const WhatIf hungry = tried(Written(kHungry).with());
  CHECK(std::ranges::count(hungry.savings, "drives", &WhatIfRow::subject) == 0);
}

TEST_CASE("disks give way to flash of 2.5 inch, in frames, in machines of any kind") {
  const Written scenario(
      "system = 'nvidia-dgx1-v100'\n[[replace]]\npart = 'ssd*'\nwith = 'hdd-7200-12tb'\n"
      "[workload]\nmodel = 'resnet-50-v1.5'\nframework = 'pytorch'\ndataset = 'imagenet-1k'\n"
      "precision = 'fp16'\nbatch_per_gpu = 256\nepochs = 50\n");
  bool flash = false;
  for (const Change& change : purchases(scenario.with()))
    flash =
        flash || change.why.starts_with(
                     "flash in the place of disks in the same bays, in frames for smaller ones");
  CHECK(flash);
}

TEST_CASE("decoding on the GPU is offered by its engines, for what they decode") {
  const std::string job =
      "[workload]\nmodel = 'slowfast-r50'\nframework = 'pytorch'\nprecision = 'fp32'\n"
      "batch_per_gpu = 8\nepochs = 2\n";
  const auto offered = [&](const std::string& machine, const std::string& dataset) {
    const Written scenario("system = '" + machine + "'\n" + job + "dataset = '" + dataset + "'\n");
    for (const Change& change : setting_changes(scenario.with().load(), own_catalog()))
      if (change.sets.back() == "loader.decode=gpu") return change.text;
    return std::string("none");
  };
  CHECK(offered("nvidia-dgx-h100", "video-1080p-clips") == "decoding on the GPUs (NVDEC)");
  CHECK(offered("nvidia-dgx1-p100", "video-1080p-clips") == "none");  // nobody says how fast
  CHECK(offered("nvidia-dgx-h100", "video-4k-raw-clips") == "none");  // nothing to decode
  const Written scenario("system = 'nvidia-dgx-h100'\n" + job + "dataset = 'video-1080p-clips'\n");
  const WhatIf report = tried(scenario.with(), true);
  const auto row = std::ranges::find(report.rows, "loader.decode=gpu",
                                     [](const WhatIfRow& one) { return one.sets.back(); });
  REQUIRE(row != report.rows.end());
  // 112 cores decode 112 clips a second; eight GPUs of 170 streams of 30 frames/s, 136 of 10 s.
  CHECK(row->after.job_samples_per_s <= 8 * 170 * 30 / 300.0 * 1.003);  // rounded
  CHECK(row->gain > 0.1);
}

TEST_CASE("what trains nothing is refused") {
  const std::string text =
      refusal_of([&] { tried(source_of(GPUFEED_SOURCE_DIR "/tests/golden/cli/io.toml")); });
  CHECK(text.find("what would make it faster is asked of training, emulated and loader; this "
                  "workload is of kind io") != std::string::npos);
}
