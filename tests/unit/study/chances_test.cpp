// SPDX-License-Identifier: Apache-2.0
// Chances of constraints against draws of the law itself, and by its quantiles.
#include "reports/study/chances.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "sim/load/read/conditions.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Result some_result() {
  return simulate(parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx1-v100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 256\nepochs = 2\n",
      "t.toml", own_catalog()));
}

std::vector<Condition> conditions(const std::vector<std::string>& texts) {
  std::vector<Condition> out;
  Diagnostics problems;
  for (const auto& text : texts) out.push_back(*parse_condition(text, "test", {}, problems));
  problems.throw_if_any();
  return out;
}

const PredictionInterval& interval(const Result& result, std::string_view key) {
  return *std::ranges::find(result.prediction_intervals, key, &PredictionInterval::of);
}

std::string at_least(double bound) {
  return fmt::format("throughput_samples_per_s >= {:.17g}", bound);
}

}  // namespace

TEST_CASE("a rate meets its own P10, P50 and P90 with 90, 50 and 10 %") {
  const Result result = some_result();
  const PredictionInterval& rate = interval(result, "throughput_samples_per_s");
  const auto chances =
      chances_of(result, conditions({at_least(rate.p10), at_least(rate.p50), at_least(rate.p90),
                                     "price_USD <= 1e12", "price_USD > 1e12"}));
  REQUIRE(chances);
  CHECK(chances->each[0] == approx(0.9).epsilon(0.003));
  CHECK(chances->each[1] == approx(0.5).epsilon(0.003));
  CHECK(chances->each[2] == approx(0.1).epsilon(0.02));
  CHECK(chances->each[3] == 1);
  CHECK(chances->each[4] == 0);
  CHECK(chances->all == 0);
}

TEST_CASE("rates and times are off together: both hold as often as the harder one") {
  const Result result = some_result();
  const PredictionInterval& rate = interval(result, "throughput_samples_per_s");
  const PredictionInterval& time = interval(result, "time_to_result_s");
  const auto chances =
      chances_of(result, conditions({at_least(0.95 * rate.p50),
                                     fmt::format("time_to_result_s <= {:.17g}", 1.01 * time.p50)}));
  REQUIRE(chances);
  CHECK(chances->all == std::min(chances->each[0], chances->each[1]));
}

TEST_CASE(
    "every time, cost and rate is off with the rate, and a benchmark's verdict with its score") {
  const Result result = some_result();
  const PredictionInterval& rate = interval(result, "throughput_samples_per_s");
  const PredictionInterval& epoch = interval(result, "epoch_s");
  const double cost = *result.running_cost->per_epoch_USD;
  const auto chances = chances_of(
      result,
      conditions({at_least(0.9 * rate.p50), fmt::format("epoch_s <= {:.17g}", epoch.p50 / 0.9),
                  fmt::format("running_cost.per_epoch_USD <= {:.17g}", cost / 0.9),
                  fmt::format("later_epochs_samples_per_s >= {:.17g}",
                              0.9 * *result.later_epochs_samples_per_s)}));
  REQUIRE(chances);
  for (const double each : chances->each) {
    CHECK(each == approx(chances->each[0]).epsilon(0.005));
    CHECK(each < 0.9);
  }
  CHECK(chances->all == approx(chances->each[0]).epsilon(0.01));

  const Result benchmark = simulate(parse_scenario(
      "title = \"t\"\nsystem = { chassis = \"supermicro-as-2125hs-tnr\", cpu = \"2 x "
      "amd-epyc-9354\", memory = \"384 GB\", drives = \"4 x kioxia-cm7-r-3.84tb\" }\n"
      "workload = { kind = \"emulated\", job = \"mlperf-unet3d-h100\", gpus = 17 }\n"
      "loader = { workers_per_gpu = 16 }\n",
      "t.toml", own_catalog()));
  REQUIRE(benchmark.benchmark);
  const auto verdict = chances_of(
      benchmark,
      conditions({"benchmark.passes >= 1", fmt::format("benchmark.utilization_v1 >= {:.17g}",
                                                       benchmark.benchmark->threshold)}));
  REQUIRE(verdict);
  CHECK(verdict->each[0] == verdict->each[1]);
  CHECK(verdict->each[0] < 0.995);
}

TEST_CASE("chances are those of draws of Student's t with four degrees") {
  const Result result = some_result();
  const PredictionInterval& rate = interval(result, "throughput_samples_per_s");
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr int kDraws = 20000;
  constexpr double kUpper = 1.5332062740589438;  // 90 % of t with four degrees, from a table
  for (const double share : {0.8, 0.9, 0.97, 1.02, 1.1}) {
    int holding = 0;
    for (int i = 0; i < kDraws; ++i) {
      double squares = 0;
      for (int k = 0; k < 4; ++k) squares += std::pow(normal(random), 2);
      const double off = normal(random) / std::sqrt(squares / 4) / kUpper;
      const double end = off < 0 ? rate.p50 / rate.p10 : rate.p90 / rate.p50;
      holding += std::pow(end, off) >= share ? 1 : 0;
    }
    const auto chances = chances_of(result, conditions({at_least(share * rate.p50)}));
    REQUIRE(chances);
    CAPTURE(share);
    CHECK(std::abs(chances->all - static_cast<double>(holding) / kDraws) < 0.015);
  }
}

TEST_CASE("without an interval there are no chances") {
  Result result = some_result();
  result.prediction_intervals.clear();
  CHECK(!chances_of(result, conditions({at_least(1)})));
}
