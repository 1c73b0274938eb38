// SPDX-License-Identifier: Apache-2.0
// The causes that a result names, each beside a twin in which the cause is gone.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "sim/topology/graph.h"
#include "tests/support/catalog.h"
#include "tests/support/evidence.h"

using namespace gpufeed;

namespace {

Result result_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return simulate(parse_scenario(text, "causes.toml", own_catalog(), overrides));
}

std::optional<Limiter> limit_of(const Result& result, LimiterCode stage) {
  const Stage* const found = stage_of(result, stage);
  REQUIRE(found);
  return found->limit;
}

/// A drive or store that is limited so.
Limiter storage(const std::string& name, StorageLimit limit) {
  return fact<LimiterCode::storage_parts>(std::vector{name}, name_of(limit));
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
  CHECK(limit_of(result_of(from_drive("4000 B"), rate), LimiterCode::drives) ==
        storage("ssd0", StorageLimit::requests));
  CHECK(limit_of(result_of(from_drive("100 kB"), rate), LimiterCode::drives) ==
        storage("ssd0", StorageLimit::bandwidth));
  CHECK(shown(result_of(from_drive("4000 B"), rate), EvidenceCode::delivers)->of ==
        storage("ssd0", StorageLimit::requests));
}

TEST_CASE("a store's opens, requests, bandwidth or front end are named, whichever binds") {
  const std::string wide = "read_bandwidth = \"50 GB/s\"\nread_rate = \"1 MIOPS\"\n";
  const auto named = [](const std::string& keys) {
    return limit_of(result_of(from_store(keys)), LimiterCode::store);
  };
  CHECK(named(wide + "metadata_rate = \"5000 /s\"\n") == storage("nas", StorageLimit::file_opens));
  CHECK(named("read_bandwidth = \"50 GB/s\"\nread_rate = \"5000 /s\"\n") ==
        storage("nas", StorageLimit::requests));
  CHECK(named("read_bandwidth = \"1 GB/s\"\nread_rate = \"1 MIOPS\"\n") ==
        storage("nas", StorageLimit::bandwidth));
  CHECK(named(wide + "front_end_bandwidth = \"1 GB/s\"\n") ==
        storage("nas", StorageLimit::front_end));
}

TEST_CASE("misses of the page cache are named where drives read again what memory has lost") {
  const std::string half =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"loader\"\nepochs = 3\n"
      "dataset = \"imagenet-1k\"\n[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\n"
      "cache = \"pinned\"\ncache_memory = \"73.4 GB\"\n";
  // Half of 147 GB stays in memory.
  const Result lost = result_of(half);
  const Evidence* const missed = shown(lost, EvidenceCode::misses_cache);
  REQUIRE(missed);
  CHECK(std::get<double>(missed->shows.arguments.at(0)) == doctest::Approx(0.5).epsilon(0.005));
  // Where none was meant to stay, none is missed; nor in an only epoch.
  CHECK_FALSE(shown(result_of(half, {"loader.cache=none"}), EvidenceCode::misses_cache));
  CHECK_FALSE(shown(result_of(half, {"workload.epochs=1"}), EvidenceCode::misses_cache));
  CHECK(result_of(half, {"loader.cache_memory=147 GB"}).throughput_samples_per_s >
        lost.throughput_samples_per_s);
}

TEST_CASE("before a store, what misses the cache on drives is named, and not the page cache") {
  const std::string half =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nkind = \"loader\"\nepochs = 3\n"
      "dataset = \"imagenet-1k\"\n[data]\nat = \"scratch\"\nstaging = { from = \"nas\", mode = "
      "\"read-through\", capacity = \"73.4 GB\", eviction = \"pinned\" }\n[loader]\n"
      "decode = \"none\"\ncache_memory = \"1 GB\"\n[store.nas.model]\ntitle = \"n\"\ncapacity = "
      "\"500 TB\"\nread_bandwidth = \"300 MB/s\"\nread_rate = \"1 MIOPS\"\nread_latency = \"1 "
      "ms\"\n";
  const Result result = result_of(half);
  const Evidence* const missed = shown(result, EvidenceCode::misses_drive_cache);
  REQUIRE(missed);
  CHECK(std::get<double>(missed->shows.arguments.at(0)) == doctest::Approx(0.5).epsilon(0.02));
  CHECK_FALSE(shown(result, EvidenceCode::misses_cache));
  // Where all of it has room on drives, nothing is missed, and these hold the loaders back.
  const Result all = result_of(half, {"data.staging.capacity=200 GB", "workload.epochs=20",
                                      "system.drive[*].model.read_bandwidth=60 MB/s"});
  CHECK_FALSE(shown(all, EvidenceCode::misses_drive_cache));
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
  CHECK(shown(starved, EvidenceCode::lost_by_empty_stock));
  CHECK(result_of(uneven, {"loader.prefetch_batches=8"}).throughput_samples_per_s >
        1.05 * starved.throughput_samples_per_s);
}

TEST_CASE("steps that copies stretch hold back before cores that are nearly all busy") {
  // Copies in order from pageable memory, which eight GPUs share with all that is decoded there.
  const auto with = [](const std::string& set) {
    return simulate(
        load_scenario(GPUFEED_SOURCE_DIR "/examples/06_how_many_cores/scenario.toml", own_catalog(),
                      {parse_override("loader.pinned_memory=false"), parse_override(set)}));
  };
  const Result now = with("run.seed=1");
  CHECK(now.bottleneck.resource == fact<LimiterCode::gpu_compute>());
  CHECK(now.bottleneck.next == fact<LimiterCode::cpu_decode>());
  const Evidence* const copies = shown(now, EvidenceCode::wait_for_copies);
  REQUIRE(copies);
  CHECK(std::get<double>(copies->shows.arguments.at(0)) == doctest::Approx(0.375).epsilon(0.015));
  // Half as many cores more hardly help; in copies beside the steps, the cores bind.
  const double more_cores = with("system.socket[*].model.cores=30").throughput_samples_per_s;
  CHECK(more_cores < 1.02 * now.throughput_samples_per_s);
  const Result beside = simulate(load_scenario(
      GPUFEED_SOURCE_DIR "/examples/06_how_many_cores/scenario.toml", own_catalog(), {}));
  CHECK(beside.bottleneck.resource == fact<LimiterCode::cpu_decode>());
}

TEST_CASE("parameter servers whose memory others use hold back before a drive below its limit") {
  const auto with = [](const std::string& set) {
    return simulate(load_scenario(
        GPUFEED_SOURCE_DIR "/examples/04_cache_or_not/scenario_pinned.toml", own_catalog(),
        {parse_override("exchange.algorithm=parameter-server"), parse_override(set)}));
  };
  const Result now = with("run.seed=1");
  CHECK(now.bottleneck.resource == fact<LimiterCode::gradient_exchange>());
  const double rate = now.throughput_samples_per_s;
  const double faster_drive = with("system.drive[*].model.read_bandwidth=600 MB/s")
                                  .throughput_samples_per_s;  // from 530 MB/s
  const double more_memory = with("system.socket[*].model.memory_bandwidth=92 GB/s")
                                 .throughput_samples_per_s;  // from 76.8 GB/s
  CHECK(faster_drive < 1.02 * rate);
  CHECK(more_memory > 1.05 * rate);
}
