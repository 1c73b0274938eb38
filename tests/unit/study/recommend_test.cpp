// SPDX-License-Identifier: Apache-2.0
// The answer to a goal against all choices simulated one by one.
#include "reports/study/recommend.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/study/cost_tables.h"
#include "reports/writers/recommendation_text.h"
#include "sim/elasticity.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/goal_study.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
using namespace gpufeed::goals;  // NOLINT: the vocabulary of this file

TEST_CASE("the cheapest choice is that of a search through all") {
  const GoalStudy study;
  const Choices choices = study.choices("constraint = [\"accelerator_utilization >= 80 %\"]\n");
  std::optional<double> cheapest;
  for (const Result& result : all_results(choices))
    if (result.job_gpu_utilization >= 0.8 && (!cheapest || *result.price_USD < *cheapest))
      cheapest = result.price_USD;
  REQUIRE(cheapest);
  for (const unsigned jobs : {1U, 2U}) {
    const Recommendation answer = recommend(choices, {.jobs = jobs});
    REQUIRE(answer.chosen.size() == 1);
    CHECK(answer.chosen.front().price_USD == cheapest);
    CHECK(answer.choices == 32);
    CHECK(answer.not_buildable + answer.excluded_by_aim + answer.excluded_by_bound +
              answer.excluded_by_conditions + answer.simulated ==
          32);
    CHECK(answer.simulated < 32);
  }
}

TEST_CASE("what a cloud lends with an instance is not bought, however little it would cost") {
  const GoalStudy study;
  const Choices choices = study.choices(
      "", "1",
      "minimize = \"price_USD\"\naxis = [{ name = \"drives\", path = \"system.drives\", values = "
      "[\"1 x aws-p5-nvme-3.84tb\", \"2 x micron-5300-pro-3.84tb\"] }]\n");
  const Recommendation answer = recommend(choices, {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().number == 1);
}

TEST_CASE("of choices at one price the fastest is named") {
  const GoalStudy study;
  const Choices choices = study.choices(
      "", "1",
      "axis = [{ name = \"drives\", path = \"system.drives\", values = [\"12 x "
      "micron-5300-pro-3.84tb\", \"8 x micron-5300-pro-3.84tb\"] },\n"
      "{ name = \"workers\", path = \"loader.workers_per_gpu\", values = [1, 2, 12, 8] }]\n");
  const auto results = all_results(choices);
  REQUIRE(results[4].price_USD < results[0].price_USD);
  double fastest = 0;
  for (std::size_t i = 4; i < 8; ++i) fastest = std::max(fastest, results[i].job_samples_per_s);
  REQUIRE(fastest > 1.05 * results[4].job_samples_per_s);
  const Recommendation answer = recommend(choices, {.jobs = 2});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().price_USD == results[4].price_USD);
  CHECK(answer.chosen.front().job_samples_per_s >= 0.99 * fastest);
}

TEST_CASE("of however many choices at one price the fastest is found, wherever it stands") {
  const GoalStudy study;
  std::string prefetch;
  for (int batches = 1; batches <= 40; ++batches)
    prefetch += (batches > 1 ? ", " : "") + std::to_string(batches);
  const Choices choices =
      study.choices("", "1",
                    "minimize = \"price_USD\"\naxis = [{ name = \"drives\", path = "
                    "\"system.drives\", values = [\"12 x micron-5300-pro-3.84tb\"] },\n"
                    "{ name = \"workers\", path = "
                    "\"loader.workers_per_gpu\", values = [1, 12] },\n"
                    "{ name = \"prefetch\", path = \"loader.prefetch_batches\", values = [" +
                        prefetch + "] }]\n");
  const auto results = all_results(choices);
  double of_first = 0, fastest = 0;
  for (std::size_t i = 0; i < results.size(); ++i)
    (i < 40 ? of_first : fastest) =
        std::max(i < 40 ? of_first : fastest, results[i].job_samples_per_s);
  REQUIRE(fastest > 1.05 * of_first);
  for (const unsigned jobs : {1U, 2U}) {
    const Recommendation answer = recommend(choices, {.jobs = jobs});
    REQUIRE(answer.chosen.size() == 1);
    CHECK(answer.chosen.front().job_samples_per_s >= 0.99 * fastest);
  }
}

TEST_CASE("the greatest throughput within a budget is that of a search through all") {
  const GoalStudy study;
  const Choices choices = study.choices(
      "maximize = \"throughput_samples_per_s\"\nconstraint = [\"price_USD <= 31500\"]\n");
  double most = 0;
  for (const Result& result : all_results(choices))
    if (*result.price_USD <= 31500) most = std::max(most, result.job_samples_per_s);
  const Recommendation answer = recommend(choices, {.jobs = 2});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.noise >= kLeastGain);
  CHECK(answer.noise < 0.01);
  CHECK(answer.chosen.front().job_samples_per_s * (1 + answer.noise) >= most);
}

TEST_CASE("the front has what no other choice beats, and nothing else") {
  const GoalStudy study;
  const Choices choices = study.choices("front = [\"price_USD\", \"throughput_samples_per_s\"]\n");
  const auto results = all_results(choices);
  const Recommendation answer = recommend(choices, {.jobs = 2});
  REQUIRE(answer.chosen.size() > 1);
  for (std::size_t i = 1; i < answer.chosen.size(); ++i) {
    const Choice &less = answer.chosen[i - 1], &more = answer.chosen[i];
    CHECK(*more.price_USD > *less.price_USD);
    CHECK(more.job_samples_per_s > less.job_samples_per_s * (1 + kLeastGain));
  }
  for (const Result& one : results) {
    double most = 0;
    for (const Choice& choice : answer.chosen)
      if (*choice.price_USD <= *one.price_USD) most = std::max(most, choice.job_samples_per_s);
    CHECK(one.job_samples_per_s <= most * (1 + answer.noise));
  }
  CHECK(to_text(answer).find("samples/s  GPU util.  faster  choice") != std::string::npos);
}

TEST_CASE("what is as fast as the fastest costs least, whatever the seed") {
  const GoalStudy study;
  std::vector<double> prices;
  for (const char* const seed : {"1", "2", "3"}) {
    const Choices choices = study.choices("maximize = \"throughput_samples_per_s\"\n", seed);
    const auto results = all_results(choices);
    const Result& best = *std::ranges::max_element(results, {}, &Result::job_samples_per_s);
    const double noise = noise_of(best, best, kLeastGain);
    std::optional<std::size_t> expected;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (best.job_samples_per_s <= results[i].job_samples_per_s * (1 + noise) &&
          (!expected || *results[i].price_USD < *results[*expected].price_USD))
        expected = i;
    for (const unsigned jobs : {1U, 2U}) {
      const Recommendation answer = recommend(choices, {.jobs = jobs});
      REQUIRE(answer.chosen.size() == 1);
      CHECK(answer.chosen.front().number == *expected);
      CHECK(answer.noise == noise);
      CHECK(*answer.chosen.front().price_USD < *best.price_USD);
    }
    prices.push_back(*results[*expected].price_USD);
  }
  CHECK(prices[1] == prices[0]);
  CHECK(prices[2] == prices[0]);
}

TEST_CASE("the most and the fewest of an axis are found") {
  const GoalStudy study;
  const auto answer = recommend(
      study.choices("minimize = \"workers\"\nconstraint = [\"accelerator_utilization >= 50 %\"]\n"),
      {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().values.back().value == "4");
}

TEST_CASE("the command that shows a choice has the options of the search") {
  const GoalStudy study;
  Recommendation answer = recommend(study.choices("minimize = \"price_USD\"\n"), {});
  answer.scenario = "my scenario.toml";
  answer.options = {"--catalog", "own parts",     "--prices", "q.csv",
                    "--set",     "loader.jobs=2", "--seed",   "5"};
  REQUIRE(answer.chosen.size() == 1);
  answer.chosen.front().values = {{"gpu", "system.gpu", "\"2 x nvidia-l4\""}};
  const std::string next = " \\\n" + std::string(24, ' ');
  CHECK(to_text(answer).find("gpufeed simulate 'my scenario.toml'" + next +
                             "--catalog 'own parts'" + next + "--prices q.csv" + next +
                             "--set loader.jobs=2" + next + "--seed 5" + next +
                             "--set 'system.gpu=\"2 x nvidia-l4\"'") != std::string::npos);
}

TEST_CASE("what has no price is not the cheapest, unless there is nothing else, which is told") {
  const GoalStudy study;
  std::filesystem::create_directory(study.folder / "drive");
  study.folder.write("drive/unpriced.toml",
                     "title = \"Unpriced\"\nsource = \"s\"\nbasis = \"estimate\"\nlink = "
                     "\"sata-3\"\nlanes = 1\nform = \"2.5-inch\"\ncapacity = \"3.84 TB\"\n"
                     "read_bandwidth = \"540 MB/s\"\nread_rate = \"95 kIOPS\"\n"
                     "read_latency = \"200 us\"\nwrite_bandwidth = \"520 MB/s\"\n");
  const Catalog catalog(
      {study.folder / "", GPUFEED_SOURCE_DIR "/hw_catalog", GPUFEED_SOURCE_DIR "/workloads"});
  const auto answer_of = [&](const std::string& drives, const std::string& more = "") {
    study.folder.write("scenario.toml", kScenario);
    const auto file = study.folder.write(
        "goal.toml", "scenario = \"scenario.toml\"\nminimize = \"price_USD\"\n" + more +
                         "axis = [{ name = "
                         "\"drives\", path = \"system.drives\", values = [" +
                         drives + "] }]\n");
    return recommend(choices_of(load_goal(file, catalog), catalog, {}, "1"), {});
  };
  const auto with = answer_of("\"2 x micron-5300-pro-3.84tb\", \"2 x unpriced\"");
  REQUIRE(with.chosen.size() == 1);
  CHECK(with.chosen.front().without_price == "");
  CHECK(with.excluded_without_price == 1);
  CHECK(to_text(with).find("1 lack prices and cannot be called cheaper") != std::string::npos);
  const auto without = answer_of("\"2 x micron-5300-pro-3.84tb\"");
  CHECK(without.chosen.front().chosen_without_price.empty());
  CHECK(without.excluded_without_price == 0);
  // That it costs no more than anything is not known.
  CHECK(answer_of("\"2 x unpriced\"", "constraint = [\"price_USD <= 1000000\"]\n").chosen.empty());
  // Where nothing else is there, it is the answer, and says so.
  const auto alone = answer_of("\"2 x unpriced\"");
  CHECK(alone.chosen.front().chosen_without_price == std::vector<std::string>{"unpriced"});
  CHECK(to_text(alone).find("with the price of unpriced, which --prices takes") !=
        std::string::npos);
}

TEST_CASE("a constraint that is met by chance is told, and only that") {
  const GoalStudy study;
  const std::string axes =
      "axis = [{ name = \"drives\", path = \"system.drives\", values = [\"4 x "
      "micron-5300-pro-3.84tb\"] }]\n";
  const auto answer_of = [&](double share) {
    return recommend(
        study.choices(fmt::format("minimize = \"price_USD\"\nconstraint = [\"price_USD <= 99999\", "
                                  "\"accelerator_utilization >= {}\"]\n",
                                  share),
                      "1", axes),
        {});
  };
  const double share = answer_of(0.1).chosen.at(0).accelerator_utilization;
  CHECK(answer_of(0.9 * share).chosen.at(0).by_chance.empty());
  const Recommendation near = answer_of(share * (1 - 1e-4));
  REQUIRE(near.chosen.size() == 1);
  REQUIRE(near.chosen[0].by_chance.size() == 1);
  CHECK(near.chosen[0].by_chance[0].starts_with("accelerator_utilization >= "));
  CHECK(to_text(near).find("so near to accelerator_utilization") != std::string::npos);
}

TEST_CASE("tables of sums give every cost, whichever axes belong together") {
  // Price: 7 a + b * c + 100; power: c. So b and c are one group, and a is another.
  SweepPoints points;
  for (const std::uint32_t count : {30U, 8U, 9U}) points.values.emplace_back(count);
  for (std::uint32_t a = 0; a < 30; ++a)
    for (std::uint32_t b = 0; b < 8; ++b)
      for (std::uint32_t c = 0; c < 9; ++c) points.chosen.insert(points.chosen.end(), {a, b, c});
  std::int64_t asked = 0;
  const auto cost = [](const std::vector<std::uint32_t>& p) {
    return CostOf{7.0 * p[0] + 1.0 * p[1] * p[2] + 100, 1.0 * p[2]};
  };
  const auto tables = CostTables::make(points, [&](const std::vector<std::uint32_t>& p) {
    ++asked;
    return std::optional(cost(p));
  });
  REQUIRE(tables);
  CHECK(asked < points.count() / 3);
  for (std::int64_t i = 0; i < points.count(); ++i) {
    const auto at = points.chosen.begin() + 3 * i;
    CHECK(same_cost(tables->at(points, i), cost({at[0], at[1], at[2]})));
  }
}
