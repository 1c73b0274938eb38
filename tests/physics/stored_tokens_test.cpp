// SPDX-License-Identifier: Apache-2.0
// Data sets of tokens: what a sample reads, how samples are cut, and what comes before training.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/cache_plan.h"
#include "sim/plan/make/make_plan.h"
#include "sim/plan/reading.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Llama 3.2 1B on a machine of eight GPUs, of 100,000 samples of 2,048 tokens.
Scenario of_tokens(const std::string& dataset, const std::string& keys = "",
                   const std::string& workload = "") {
  return parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\nrun = { max_steps = 60 }\n[workload]\nmodel = "
      "\"llama-3.2-1b\"\nprecision = \"bf16\"\nbatch_per_gpu = 2\nsequence = 2048\n" +
          workload +
          "dataset = { title = \"d\", samples = 100000, sample_size = \"4096 B\", tokens = 2048, "
          "samples_per_file = 100000" +
          dataset + " }\n[loader]\ndecode = \"none\"\n" + keys,
      "test.toml", own_catalog());
}

const std::string kIndexed = ", format = \"indexed\"";
const std::string kScratch = "[data]\nat = \"scratch\"\n";
const std::string kOneDrive = "[data]\nat = \"ssd0\"\n";

double filling_of(const Result& result) {
  for (const Warning& one : result.warnings)
    if (one.code == WarningCode::samples_shorter_than_sequence)
      return std::get<double>(one.arguments.back());
  return 0;
}

}  // namespace

TEST_CASE(
    "a mapped file brings a window of readahead for each sample, a call the pages it lies on") {
  const double window = 131072;
  const auto brings = [&](bool mapped, double sample) {
    return read_anywhere(mapped, Bytes{sample}, Bytes{window}).all().value;
  };
  CHECK(brings(true, 4096) == window);
  CHECK(brings(true, 65536) == window);
  CHECK(brings(true, 262144) == 2.5 * window);
  CHECK(brings(false, 4096) == 8192);
  CHECK(brings(false, 65536) == 69632);
  const auto per_byte = [&](const std::string& keys) {
    return make_plan(of_tokens(kIndexed, kOneDrive + keys)).read_per_byte;
  };
  CHECK(per_byte("readahead = \"1 MB\"\n") == approx(1e6 / 4096));
  CHECK(per_byte("mapped = false\n") == approx(2));
  CHECK(make_plan(of_tokens("", kScratch)).read_per_byte == 1);
  CHECK(make_plan(of_tokens(kIndexed, "order = \"shards\"\n" + kScratch)).read_per_byte == 1);
}

TEST_CASE("an epoch of a mapped file fetches what windows at random places cover") {
  // Pages of 4 KiB in a file of 100,000 samples; each missing one brings 32 around it.
  constexpr std::int64_t kPages = 100000, kWindow = 32;
  for (const double room : {1.0, 0.4}) {
    CAPTURE(room);
    const Scenario scenario = of_tokens(kIndexed, kScratch + "readahead = \"131072 B\"\n");
    const double stored = 4096.0 * kPages;
    const CacheHits hits = cache_hits(scenario, {1, 1, 1}, Bytes{stored * room}, 3, kWindow);
    std::mt19937_64 random(7);
    std::vector<char> held(kPages);
    std::vector<std::int64_t> begun;  // windows in the order of their coming: the first leaves
    std::size_t oldest = 0;
    double pages = 0;
    std::vector<double> found;
    for (int epoch = 0; epoch < 3; ++epoch) {
      double hit = 0;
      for (std::int64_t i = 0; i < kPages; ++i) {
        const std::int64_t page = static_cast<std::int64_t>(random() % kPages);
        if (held[static_cast<std::size_t>(page)] != 0) {
          ++hit;
          continue;
        }
        const std::int64_t first = page / kWindow * kWindow;
        begun.push_back(first);
        for (std::int64_t p = first; p < std::min(kPages, first + kWindow); ++p)
          held[static_cast<std::size_t>(p)] = 1, ++pages;
        for (; pages > room * kPages; ++oldest)
          for (std::int64_t p = begun[oldest]; p < std::min(kPages, begun[oldest] + kWindow); ++p)
            held[static_cast<std::size_t>(p)] = 0, --pages;
      }
      found.push_back(hit / kPages);
    }
    CHECK(hits.first.mean() == approx(found[0]).epsilon(0.02));
    CHECK(hits.later.mean() == approx((found[1] + found[2]) / 2).epsilon(0.02));
  }
}

TEST_CASE("training waits for windows where the drive gives no more") {
  const std::string small = kOneDrive + "readahead = \"256 MB\"\n";
  const std::string none = "cache = \"none\"\n";
  const Result mapped = simulate(of_tokens(kIndexed, none + small));
  const Result called = simulate(of_tokens(kIndexed, none + small + "mapped = false\n"));
  CHECK(mapped.throughput_samples_per_s < 0.7 * called.throughput_samples_per_s);
  // All that the drive gives are windows of 256 MB.
  const Scenario scenario = of_tokens(kIndexed, none + small);
  const double drive = scenario.system->drives.front().model->read_bandwidth.value;
  CHECK(mapped.throughput_samples_per_s < drive / 256e6);
  CHECK(mapped.cache.read_later_epoch_B == approx(100000. * 256e6));
}

TEST_CASE("before training the first rank builds the order of samples and documents, once") {
  const Result none = simulate(of_tokens("", kScratch));
  CHECK(none.index_s == 0);
  const Result built = simulate(of_tokens(kIndexed + ", documents = 50000000", kScratch));
  CHECK(built.index_s == approx(100000 * 0.1e-6 + 50e6 * 0.14e-6));
  CHECK(built.time_to_result_s == approx(built.index_s + built.training_s));
  CHECK(built.time_to_first_result_s > built.index_s);
  CHECK(simulate(of_tokens(kIndexed, "index_time = \"0 s\"\n" + kScratch)).index_s == 0);
  CHECK(simulate(of_tokens("", "index_time = \"90 s\"\n" + kScratch)).index_s == 90);
}

TEST_CASE("packing cuts the same tokens into samples of the model's sequence") {
  const std::string half = "batch_per_gpu = 1\n";
  const auto with = [&](const std::string& more, const std::string& dataset = "") {
    return parse_scenario(
        "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"llama-3.2-1b\"\n"
        "precision = \"bf16\"\n" +
            half + "sequence = 8192\n" + more +
            "dataset = { title = \"d\", samples = 100000, sample_size = \"4096 B\", tokens = 2048, "
            "samples_per_file = 1000" +
            dataset + " }\n[loader]\ndecode = \"none\"\n" + kScratch,
        "test.toml", own_catalog());
  };
  const Scenario filled = with(""), packed = with("packing = true\n");
  const Dataset& cut = *packed.workload.dataset();
  CHECK(cut.samples == 25000);
  CHECK(cut.sample_size.value == 4 * 4096);
  CHECK(cut.samples_per_file == 250);
  CHECK(*cut.tokens == 8192);
  CHECK(*cut.documents == 100000);
  CHECK(cut.samples * *cut.tokens == 100000 * 2048);
  const Result as_filled = simulate(filled), as_packed = simulate(packed);
  CHECK(filling_of(as_filled) == approx(0.75));
  CHECK(filling_of(as_packed) == 0);
  CHECK(as_packed.throughput_samples_per_s ==
        approx(as_filled.throughput_samples_per_s).epsilon(0.01));
  CHECK(*as_packed.tokens_per_s == approx(4 * *as_filled.tokens_per_s).epsilon(0.01));
  // Four times as many steps to read the same tokens.
  CHECK(as_filled.training_s == approx(4 * as_packed.training_s).epsilon(0.05));
}

TEST_CASE("documents of many lengths are filled up as a draw of them is") {
  for (const auto& lengths : {std::pair{900., 1800.}, {3000., 1500.}, {1500., 6000.}}) {
    const double mean = lengths.first, deviation = lengths.second;
    CAPTURE(mean);
    std::mt19937_64 random(3);
    const double v2 = std::log(1 + deviation * deviation / mean / mean);
    std::lognormal_distribution<> length(std::log(mean) - v2 / 2, std::sqrt(v2));
    double taken = 0;
    constexpr int kDraws = 400000;
    for (int i = 0; i < kDraws; ++i) taken += std::min(2048., length(random));
    Scenario scenario = of_tokens("");
    Dataset documents = *scenario.workload.dataset();
    documents.tokens = static_cast<std::int64_t>(mean);
    documents.tokens_deviation = static_cast<std::int64_t>(deviation);
    scenario.workload.dataset().entry = std::make_shared<const Dataset>(documents);
    CHECK(*tokens_of_sample(scenario.workload) == approx(taken / kDraws).epsilon(0.01));
  }
}

TEST_CASE("files that are read from start to end give no sample at a random place") {
  for (const char* format : {"mds", "webdataset", "parquet"}) {
    const std::string dataset = std::string(", format = \"") + format + "\"";
    CHECK(of_tokens(dataset).loader.order == SampleOrder::shards);
    CHECK(
        refusal_of([&] { of_tokens(dataset, "order = \"permutation\"\n"); }) ==
        std::string("test.toml:10:1: error: loader.order: samples of workload.dataset lie in files "
                    "of format ") +
            format + ", each of which is read from start to end; set \"shards\"\n");
  }
  CHECK(of_tokens(kIndexed).loader.order == SampleOrder::permutation);
}

TEST_CASE("what packing and mapping cannot change is refused") {
  CHECK(refusal_of([] { of_tokens("", "", "packing = true\n"); })
            .find("workload.packing has no effect: samples of workload.dataset have 2048 tokens, "
                  "as the model takes") != std::string::npos);
  for (const std::string& keys :
       {kScratch + "mapped = true\n", kScratch + "mapped = true\nmode = \"direct\"\n"})
    CHECK(refusal_of([&] { of_tokens("", keys); }).find("data.mapped is for a data set") !=
          std::string::npos);
}
