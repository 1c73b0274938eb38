// SPDX-License-Identifier: Apache-2.0
// The causes that a result names, each beside a twin in which the cause is gone.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Result result_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return simulate(parse_scenario(text, "causes.toml", own_catalog(), overrides));
}

bool says(const Result& result, std::string_view words) {
  return result.bottleneck.why.find(words) != std::string::npos;
}

std::string limited_by(const Result& result, std::string_view stage) {
  const auto found = std::ranges::find(result.stages, stage, &Stage::name);
  return found == result.stages.end() ? "no such stage" : found->limited_by;
}

/// 40 million samples of `size` on one drive, never kept in memory, ready for training.
std::string from_drive(const std::string& size) {
  return "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"loader\"\nsamples = 4000000\n"
         "[workload.dataset]\ntitle = \"t\"\nsamples = 4000000\nsample_size = \"" +
         size +
         "\"\n[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\ncache = \"none\"\n"
         "workers_per_gpu = 32\n";
}

std::string from_store(const std::string& keys) {
  return "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"loader\"\nsamples = 2000000\n"
         "[workload.dataset]\ntitle = \"t\"\nsamples = 2000000\nsample_size = \"100 kB\"\n"
         "[data]\nat = \"nas\"\n[loader]\ndecode = \"none\"\ncache = \"none\"\n"
         "workers_per_gpu = 64\n[store.nas.model]\ntitle = \"n\"\ncapacity = \"100 TB\"\n"
         "read_latency = \"100 us\"\n" +
         keys;
}

}  // namespace

TEST_CASE("a drive's bandwidth or its requests are named, whichever binds") {
  // 20,000 requests/s x 4 kB are 80 MB/s; x 100 kB more than its 500 MB/s.
  const std::vector<std::string> rate{"system.drive[ssd0].model.read_rate=20000 /s",
                                      "system.drive[ssd0].model.read_bandwidth=500 MB/s"};
  CHECK(limited_by(result_of(from_drive("4000 B"), rate), "drives") == "ssd0 (requests)");
  CHECK(limited_by(result_of(from_drive("100 kB"), rate), "drives") == "ssd0 (bandwidth)");
  CHECK(says(result_of(from_drive("4000 B"), rate), "ssd0 (requests) can deliver"));
}

TEST_CASE("a store's opens, requests, bandwidth or front end are named, whichever binds") {
  const std::string wide = "read_bandwidth = \"50 GB/s\"\nread_rate = \"1 MIOPS\"\n";
  const auto named = [](const std::string& keys) {
    return limited_by(result_of(from_store(keys)), "store");
  };
  CHECK(named(wide + "metadata_rate = \"5000 /s\"\n") == "nas (opens of files)");
  CHECK(named("read_bandwidth = \"50 GB/s\"\nread_rate = \"5000 /s\"\n") == "nas (requests)");
  CHECK(named("read_bandwidth = \"1 GB/s\"\nread_rate = \"1 MIOPS\"\n") == "nas (bandwidth)");
  CHECK(named(wide + "front_end_bandwidth = \"1 GB/s\"\n") == "nas (front end)");
}

TEST_CASE("misses of the page cache are named where drives read again what memory has lost") {
  const std::string half =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"loader\"\nepochs = 3\n"
      "dataset = \"imagenet-1k\"\n[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\n"
      "cache = \"pinned\"\ncache_memory = \"73.4 GB\"\n";
  // Half of 147 GB stays in memory.
  const Result lost = result_of(half);
  CHECK(says(lost, "; 50 % of the bytes miss the page cache in each epoch after the first"));
  // Where none was meant to stay, none is missed; nor in an only epoch.
  CHECK_FALSE(says(result_of(half, {"loader.cache=none"}), "page cache"));
  CHECK_FALSE(says(result_of(half, {"workload.epochs=1"}), "page cache"));
  CHECK(result_of(half, {"loader.cache_memory=147 GB"}).throughput_samples_per_s >
        lost.throughput_samples_per_s);
}

TEST_CASE("a stock of batches that is used up is named, and a larger one is faster") {
  // Batches take very different times; on average the loaders are faster than the GPUs.
  const std::string uneven =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"alexnet\"\ngpus = 1\nsamples = "
      "2000000\n"
      "batch_per_gpu = 64\n[workload.dataset]\ntitle = \"t\"\nsamples = 2000000\n"
      "sample_size = \"50 kB\"\ndecode_time = \"200 us\"\n[data]\nat = \"scratch\"\n"
      "[loader]\nworkers_per_gpu = 1\nprefetch_batches = 1\njitter = \"80 %\"\n"
      "[[workload.compute]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nbatch = 64\nrate = \"1800 /s\"\n"
      "source = \"s\"\nbasis = \"measured\"\n";
  const Result starved = result_of(uneven);
  CHECK(says(starved,
             "the batch fetched ahead for each GPU is used up before the next one is "
             "ready (loader.prefetch_batches)"));
  CHECK(result_of(uneven, {"loader.prefetch_batches=8"}).throughput_samples_per_s >
        1.05 * starved.throughput_samples_per_s);
}

TEST_CASE("beside sampled numbers nothing is said to be impossible") {
  const Result result = result_of(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n");
  CHECK_FALSE(says(result, "never"));
}

TEST_CASE("steps that copies stretch hold back before cores that are nearly all busy") {
  // Copies in order from pageable memory, which eight GPUs share with all that is decoded there.
  const auto with = [](const std::string& set) {
    return simulate(
        load_scenario(GPUFEED_SOURCE_DIR "/examples/06_how_many_cores/scenario.toml", own_catalog(),
                      {parse_override("loader.pinned_memory=false"), parse_override(set)}));
  };
  const Result now = with("run.seed=1");
  CHECK(now.bottleneck.resource == "GPU compute");
  CHECK(now.bottleneck.next == "CPU decode");
  CHECK(says(now, "they stand still while batches are copied to them 37"));
  // Half as many cores more hardly help; in copies beside the steps, the cores bind.
  const double more_cores = with("system.socket[*].model.cores=30").throughput_samples_per_s;
  CHECK(more_cores < 1.02 * now.throughput_samples_per_s);
  const Result beside = simulate(load_scenario(
      GPUFEED_SOURCE_DIR "/examples/06_how_many_cores/scenario.toml", own_catalog(), {}));
  CHECK(beside.bottleneck.resource == "CPU decode");
}

TEST_CASE("parameter servers whose memory others use hold back before a drive below its limit") {
  const auto with = [](const std::string& set) {
    return simulate(load_scenario(
        GPUFEED_SOURCE_DIR "/examples/04_cache_or_not/scenario_pinned.toml", own_catalog(),
        {parse_override("exchange.algorithm=parameter-server"), parse_override(set)}));
  };
  const Result now = with("run.seed=1");
  CHECK(now.bottleneck.resource == "gradient exchange");
  const double rate = now.throughput_samples_per_s;
  const double faster_drive = with("system.drive[*].model.read_bandwidth=600 MB/s")
                                  .throughput_samples_per_s;  // from 530 MB/s
  const double more_memory = with("system.socket[*].model.memory_bandwidth=92 GB/s")
                                 .throughput_samples_per_s;  // from 76.8 GB/s
  CHECK(faster_drive < 1.02 * rate);
  CHECK(more_memory > 1.05 * rate);
}
