// SPDX-License-Identifier: Apache-2.0
// Every kind of workload says where what is measured will lie, and what warns widens.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/range/intervals.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Scenario loaded(const std::string& text) {
  return parse_scenario("title = \"t\"\n" + text, "intervals.toml", own_catalog());
}

const PredictionInterval* interval(const Result& result, std::string_view of) {
  const auto found = std::ranges::find(result.prediction_intervals, of, &PredictionInterval::of);
  return found == result.prediction_intervals.end() ? nullptr : &*found;
}

Mechanism mechanism_in(const std::string& text, std::string_view of) {
  const Result result = simulate(loaded(text));
  const PredictionInterval* found = interval(result, of);
  REQUIRE(found);
  CHECK(found->p10 < found->p50);
  CHECK(found->p50 < found->p90);
  CHECK_FALSE(result.no_interval);
  return found->mechanism;
}

std::string v100(const std::string& keys) {
  return "system = \"nvidia-dgx1-v100\"\n" + keys +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 64\nsamples = 200_000\n[loader]\ndecode = \"none\"\n";
}

double width(const Result& result) {
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  REQUIRE(rate);
  return std::log(rate->p90 / rate->p10);
}

}  // namespace

TEST_CASE("each kind has an interval, by the law that it rests on") {
  CHECK(mechanism_in(v100(""), "throughput_samples_per_s") == Mechanism::rate_on_one_node);
  CHECK(mechanism_in(v100("nodes = 2\n"), "throughput_samples_per_s") ==
        Mechanism::rate_on_several_nodes);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"collective\"\n",
                     "collectives[0].time_s") == Mechanism::collective_small);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n"
                     "product = [{ m = 64, n = 256, k = 256 }]\n",
                     "products[0].time_s") == Mechanism::matmul);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\ndata = { at = \"nas\" }\nstore = { nas = { "
                     "model = \"weka-wekapod-nitro-8-servers\", protocol = \"weka\" } }\n"
                     "[workload]\nkind = \"checkpointing\"\nmodel = \"llama3-8b\"\n",
                     "checkpointing.load.rank0_Bps") == Mechanism::checkpoint_load);
  CHECK(mechanism_in("system = \"nvidia-dgx-a100\"\n[workload]\nkind = \"inference\"\n"
                     "model = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
                     "[workload.serving]\nclients = 8\nrequests = 1000\n",
                     "serving.capacity_requests_per_s") == Mechanism::serving);
}

TEST_CASE("every example has intervals, and each holds what is predicted") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    if (entry.path().filename() != "scenario.toml") continue;
    const Result result = simulate(load_scenario(entry.path(), own_catalog()));
    CAPTURE(entry.path().string());
    CHECK_FALSE(result.no_interval);
    for (const PredictionInterval& one : result.prediction_intervals) {
      CAPTURE(one.of);
      CHECK(one.p10 <= one.p50);
      CHECK(one.p50 <= one.p90);
      CHECK(one.p90 / one.p50 <= 5.0001);
      CHECK(one.p50 / one.p10 <= 5.0001);
      if (one.of == "accelerator_utilization") CHECK(one.p90 <= 1);
    }
  }
}

TEST_CASE("emulated accelerators are no faster than when they never wait") {
  const Result result = simulate(
      loaded("system = \"nvidia-dgx-h100\"\ndata = { at = \"nas\" }\nstore = { nas = { model = "
             "\"lustre-oakforest-pacs\", protocol = \"lustre\" } }\n[workload]\nkind = "
             "\"emulated\"\njob = \"mlperf-resnet50-h100\"\ngpus = 4\nsamples = 500_000\n"));
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  REQUIRE(rate);
  CHECK(rate->p90 <= result.throughput_samples_per_s / result.accelerator_utilization * (1 + 1e-9));
  CHECK(interval(result, "benchmark.utilization_v1")->p90 <= 1 + 1e-9);
}

TEST_CASE("what warns that a job is like none that was measured widens its interval") {
  const double usual = width(simulate(loaded(v100(""))));
  for (const std::string keys :
       {"parallel = { shard = \"parameters\" }\n", "exchange = { mode = \"asynchronous\" }\n",
        "exchange = { algorithm = \"torus\" }\n"}) {
    const Result result = simulate(loaded(v100(keys)));
    CAPTURE(keys);
    CHECK_FALSE(result.steps.empty());
    CHECK(width(result) > usual);
  }
}

TEST_CASE("without what the catalog learned there is a reason instead of an interval") {
  Scenario scenario = loaded(v100(""));
  scenario.discrepancies.clear();
  const Result result = simulate(scenario);
  CHECK(result.prediction_intervals.empty());
  CHECK(result.no_interval == NoInterval::not_learned);
  CHECK_FALSE(result.range);
}
