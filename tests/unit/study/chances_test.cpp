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
