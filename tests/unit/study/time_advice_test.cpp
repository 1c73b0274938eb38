// SPDX-License-Identifier: Apache-2.0
// What is proposed where checkpoints, or copying the data in, take the time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/what_if.h"

using namespace gpufeed;

namespace {

/// BERT-large on eight GPUs, saving to a filer over one mount, which stops them for long.
const std::string kSaving =
    "system = 'nvidia-dgx-h100'\n[workload]\nmodel = 'bert-large'\ndataset = 'mlperf-bert'\n"
    "precision = 'fp16'\nbatch_per_gpu = 48\nsamples = 1000000\n[loader]\ndecode = 'none'\n"
    "[data]\nat = 'scratch'\n[checkpoint]\ninterval_steps = 100\nat = 'nas'\n"
    "[store.nas]\nprotocol = 'nfs-tcp'\nvia = ['eth0']\n[store.nas.model]\ntitle = 'filer'\n"
    "source = 's'\nbasis = 'estimate'\ncapacity = '50 TB'\nread_bandwidth = '10 GB/s'\n"
    "write_bandwidth = '5 GB/s'\nread_rate = '1 MIOPS'\nread_latency = '500 us'\n";

/// The change of a scenario that begins with this option; its options empty: there is none.
Change change_with(const ScenarioSource& source, const std::string& set) {
  for (const Change& change : setting_changes(source.load(), own_catalog()))
    if (change.sets.front() == set) return change;
  return {};
}

}  // namespace

TEST_CASE("a job that waits for its checkpoints is told how to wait less for them") {
  const Written scenario(kSaving);
  const ScenarioSource source = scenario.with();
  Scenario now = source.load();
  now.run.once();
  const double share = simulate(now).checkpoint->share;
  REQUIRE(share > 0.2);
  const WhatIf report = tried(source, true);
  const auto gain = [&](const std::string& set) {
    const WhatIfRow* row = with_set(report, set);
    REQUIRE_MESSAGE(row, set);
    return row->gain;
  };
  // None gives more than checkpoints that cost nothing.
  for (const char* set :
       {"checkpoint.mode=asynchronous", "checkpoint.at=scratch", "store.nas.connections=4"}) {
    CHECK(gain(set) > 0.1);
    CHECK(gain(set) < 1 / (1 - share) - 1 + 0.005);
  }
  CHECK(change_with(source, "checkpoint.writers=all").is_free);
  const ScenarioSource other = scenario.with(
      {"checkpoint.writers=all", "checkpoint.mode=asynchronous", "checkpoint.at=scratch"});
  CHECK(change_with(other, "checkpoint.writers=all").sets.empty());
  CHECK(change_with(other, "checkpoint.mode=asynchronous").sets.empty());
  CHECK(change_with(other, "checkpoint.at=scratch").sets.empty());
  CHECK_FALSE(change_with(other, "checkpoint.at=nas").sets.empty());
}

TEST_CASE("no change that saves less often is proposed, nor one that ends before the first") {
  const Written scenario(kSaving);  // 2604 steps
  for (const char* interval : {"100", "1", "2000"}) {
    CAPTURE(interval);
    const ScenarioSource source =
        scenario.with({std::string("checkpoint.interval_steps=") + interval});
    const auto saves = [](Scenario job) {
      job.run.once();
      return simulate(job).checkpoint->count;
    };
    const std::int64_t now = saves(source.load());
    const WhatIf report = tried(source, true);
    for (const auto* rows : {&report.rows, &report.altering})
      for (const WhatIfRow& row : *rows) {
        CAPTURE(row.change);
        std::vector<Override> overrides;
        for (const std::string& set : row.sets) overrides.push_back(parse_override(set));
        CHECK(saves(source.load(overrides)) >= now);
      }
  }
}

TEST_CASE("larger batches leave no more samples between two checkpoints") {
  const Written scenario(kSaving);
  using Sets = std::vector<std::string>;
  const auto doubled = [&](const std::string& interval) {
    return change_with(scenario.with({"checkpoint.interval_steps=" + interval}),
                       "workload.batch_per_gpu=96");
  };
  CHECK(doubled("100").sets == Sets{"workload.batch_per_gpu=96", "checkpoint.interval_steps=50"});
  CHECK(doubled("75").sets == Sets{"workload.batch_per_gpu=96", "checkpoint.interval_steps=37"});
  CHECK(doubled("1").sets.empty());
  CHECK(doubled("100").alters);
}

TEST_CASE(
    "activations that fit are not computed again; larger batches may be, for what they hold") {
  const Written scenario(
      "system = 'nvidia-dgx-h100'\n[workload]\nmodel = 'bert-large'\n"
      "dataset = 'mlperf-bert'\nprecision = 'fp16'\nbatch_per_gpu = 48\n"
      "samples = 200000\nrecompute = true\n[loader]\ndecode = 'none'\n");
  // The forward pass, a third of a step's work, is not done twice: 4 parts become 3.
  const WhatIf kept = tried(scenario.with(), true);
  const WhatIfRow* row = with_set(kept, "workload.recompute=false");
  REQUIRE(row);
  CHECK(row->gain == doctest::Approx(1.0 / 3).epsilon(0.15));
  const Change again =
      change_with(scenario.with({"workload.recompute=false"}), "workload.recompute=false");
  CHECK(again.sets.empty());
  std::size_t larger = 0;
  const Scenario without = scenario.with({"workload.recompute=false"}).load();
  for (const Change& change : setting_changes(without, own_catalog()))
    larger += change.subject == "batch" && change.sets.back() == "workload.recompute=true";
  CHECK(larger == 2);
}

namespace {

/// Photographs that are copied from Amazon S3 before a short training begins.
const std::string kCopiedIn =
    "system = 'aws-p5.48xlarge'\nnodes = 2\n[workload]\nmodel = 'resnet-50'\n"
    "dataset = 'open-images-mlperf'\nprecision = 'fp16'\nbatch_per_gpu = 256\nepochs = 2\n"
    "[loader]\nworkers_per_gpu = 20\n[data]\nat = 'scratch'\nstaging = { from = 's3' }\n"
    "[store.s3]\nmodel = 'amazon-s3-one-prefix'\nprotocol = 's3'\n";

}  // namespace

TEST_CASE("where copying in takes most of the time, what shortens that comes first") {
  const Written scenario(kCopiedIn);
  const ScenarioSource source = scenario.with();
  Scenario now = source.load();
  now.run.once();
  const Result before = simulate(now);
  REQUIRE(before.staging_s > before.training_s);
  const WhatIf report = tried(source);
  const WhatIfRow* spread = with_set(report, "store.s3.model=amazon-s3-10-prefixes");
  REQUIRE(spread);
  CHECK(std::abs(spread->throughput_gain) < spread->noise);
  CHECK(
      spread->gain ==
      doctest::Approx(before.time_to_result_s / spread->after.time_to_result_s - 1).epsilon(0.01));
  CHECK(spread->gain > 1);
  // What only trains faster gains less than its rate says.
  for (const WhatIfRow& row : report.rows)
    if (row.subject == "loader workers") CHECK(row.gain < row.throughput_gain);
}

TEST_CASE("larger sizes of a service are told by its product, whatever it is titled") {
  const Written scenario(kCopiedIn);
  const auto offered = [&](const std::vector<std::string>& sets) {
    const ScenarioSource source = scenario.with(sets);
    return std::ranges::any_of(
        purchase_changes(source.load(), own_catalog(), source), [](const Change& change) {
          return change.sets.front() == "store.s3.model=amazon-s3-10-prefixes";
        });
  };
  CHECK(offered({}));
  CHECK(offered({"store.s3.model.title=Our bucket"}));
  CHECK(!offered({"store.s3.model.product=Our bucket"}));
}

TEST_CASE("copying in before training or meanwhile is tried, and the sooner result counts") {
  // 20 GB at 100 MB/s take 200 s; each of four epochs takes a tenth of that.
  const Written scenario(
      "system = 'nvidia-dgx1-p100'\n[workload]\nmodel = 'alexnet'\n"
      "batch_per_gpu = 128\nepochs = 4\n[workload.dataset]\ntitle = 'd'\n"
      "samples = 200000\nsource = 's'\nbasis = 'measured'\nsample_size = '100 kB'\n"
      "decode_time = '1 ms'\n[data]\nat = 'scratch'\nstaging = { from = 'nas' }\n"
      "[store.nas.model]\ntitle = 'n'\nsource = 's'\nbasis = 'measured'\n"
      "capacity = '100 TB'\nread_rate = '1 MIOPS'\nread_latency = '1 ms'\n"
      "read_bandwidth = '100 MB/s'\n");
  const ScenarioSource source = scenario.with();
  const WhatIf report = tried(source, true);
  const WhatIfRow* meanwhile = with_set(report, "data.staging.mode=first-epoch");
  REQUIRE(meanwhile);
  CHECK(meanwhile->gain ==
        doctest::Approx(report.now.time_to_result_s / meanwhile->after.time_to_result_s - 1)
            .epsilon(0.02));
  CHECK(meanwhile->after.time_to_result_s > 200);
  // The page cache has all after the first epoch: the drives are not needed.
  const auto never = change_with(source, "data.staging=").sets;
  CHECK(never == std::vector<std::string>{"data.staging=", "data.at=nas"});
  const Result from_store = simulate(scenario.with(never).load());
  CHECK(from_store.staging_s == 0);
  CHECK(from_store.time_to_result_s ==
        doctest::Approx(meanwhile->after.time_to_result_s).epsilon(0.05));
  const ScenarioSource other = scenario.with(meanwhile->sets);
  CHECK_FALSE(change_with(other, "data.staging.mode=before").sets.empty());
  CHECK_FALSE(with_set(tried(other, true), "data.staging.mode=before"));
}

TEST_CASE("a store that makes the first epoch alone faster gains what the result gains") {
  // 100 GB from a store of 0.5 GB/s, then from memory: the first of three epochs is the longest.
  const Written scenario(
      "system = 'nvidia-dgx-h100'\n[workload]\nmodel = 'resnet-50'\n"
      "dataset = { title = 'd', samples = 1000000, sample_size = '100 kB', source = 's', "
      "basis = 'measured', decode_time = '1 ms' }\n"
      "precision = 'fp16'\nbatch_per_gpu = 256\nepochs = 3\n[data]\nat = 'nas'\n"
      "[store.nas]\nprotocol = 'nfs-tcp'\n[store.nas.model]\ntitle = 'n'\n"
      "source = 's'\nbasis = 'measured'\ncapacity = '10 TB'\n"
      "read_bandwidth = '10 GB/s'\nread_rate = '1 MIOPS'\nread_latency = '200 us'\n");
  const WhatIf report = tried(scenario.with(), true);
  const WhatIfRow* row = with_set(report, "store.nas.connections=8");
  REQUIRE(row);
  CHECK(std::abs(row->throughput_gain) < 0.05);
  CHECK(row->gain > 0.5);
}

TEST_CASE("with failures the best interval is proposed, and without none that is rarer") {
  const Written scenario(kSaving);
  const WhatIf without = tried(scenario.with(), true);
  for (const WhatIfRow& row : without.rows)
    for (const std::string& set : row.sets) CHECK(set.find("interval_steps") == std::string::npos);
  const std::vector<std::string> failing{"failures={ mtbf = '1000 h', restart = '60 s' }"};
  const ScenarioSource source = scenario.with(failing);
  const Result now = simulate(source.load());
  REQUIRE(now.failures);
  const std::string best =
      fmt::format("checkpoint.interval_steps={}", *now.failures->best_interval_steps);
  const WhatIf with = tried(source, true);
  CHECK(with.now.time_to_result_s == doctest::Approx(now.failures->time_s));
  const WhatIfRow* const row = with_set(with, best);
  REQUIRE(row);
  // the gain is that of the formula's goodput
  CHECK(1 + row->gain ==
        doctest::Approx(*now.failures->best_goodput / now.failures->goodput).epsilon(0.01));
  // rates, times and chances are those with failures
  CHECK(with.now.time_to_result_s == doctest::Approx(now.time_to_result_s));
  for (const auto* rows : {&with.rows, &with.altering})
    for (const WhatIfRow& one : *rows) {
      CAPTURE(one.change);
      REQUIRE(one.chance);
      CHECK(*one.chance > 0.5);
      CHECK(*one.chance <= 1);
    }
  // where failures come often, more checkpoints are proposed, not fewer
  const Result often = simulate(scenario.with({"failures={ mtbf = '10 min' }"}).load());
  CHECK(*often.failures->best_interval_steps < *now.failures->best_interval_steps);
}
