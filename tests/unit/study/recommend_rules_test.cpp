// SPDX-License-Identifier: Apache-2.0
// Stock, makers, and what a goal cannot have.
#include "reports/study/recommend.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

TEST_CASE("of what is in stock no more is taken") {
  const GoalStudy study;
  const auto answer = recommend(study.choices("maximize = \"throughput_samples_per_s\"\n"
                                              "stock = [{ name = \"micron-*\", count = 4 }]\n"),
                                {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().values[2].value == "\"4 x micron-5300-pro-3.84tb\"");
  CHECK(answer.excluded_by_conditions == 16);
}

TEST_CASE("of the makers that are wanted, and of no other, parts are taken") {
  const GoalStudy study;
  const std::string aim = "maximize = \"throughput_samples_per_s\"\n";
  const auto any = recommend(study.choices(aim), {.jobs = 1});
  const auto small = recommend(
      study.choices(aim + "only = [{ kind = \"gpu\", names = [\"nvidia-l4\"] },\n"
                          "{ kind = \"cpu\", names = [\"intel-*\", \"amd-epyc-9124\"] }]\n"),
      {.jobs = 1});
  REQUIRE(any.chosen.size() == 1);
  REQUIRE(small.chosen.size() == 1);
  CHECK(any.chosen.front().values[0].value == "\"2 x nvidia-a10\"");
  CHECK(small.chosen.front().values[0].value == "\"2 x nvidia-l4\"");
  CHECK(small.chosen.front().values[1].value == "\"2 x amd-epyc-9124\"");
  CHECK(small.excluded_by_conditions == 24);
}

TEST_CASE("a rule about makers that leaves nothing is what is in the way") {
  const GoalStudy study;
  const auto answer = recommend(
      study.choices("constraint = [\"price_USD <= 1000000\"]\n"
                    "only = [{ kind = \"drive\", names = [\"samsung-*\", \"kioxia-*\"] }]\n"),
      {.jobs = 1});
  CHECK(answer.chosen.empty());
  REQUIRE(answer.obstacles.size() == 1);
  CHECK(obstacle_text(answer.obstacles.front()) ==
        "only drive of samsung-*, kioxia-*: no choice meets it");
}

TEST_CASE("rules that leave nothing only together are not called impossible by themselves") {
  const GoalStudy study;
  const auto told = [&](const std::string& rules) {
    std::vector<std::string> lines;
    for (const Obstacle& one : recommend(study.choices(rules), {.jobs = 1}).obstacles)
      lines.push_back(obstacle_text(one));
    return lines;
  };
  CHECK(
      told("only = [{ kind = \"gpu\", names = [\"nvidia-l4\"] }]\n"
           "stock = [{ name = \"nvidia-l4\", count = 1 }]\n"
           "minimize = \"price_USD\"\n") ==
      std::vector<std::string>{"stock of 1 nvidia-l4: met by some choice, not beside the others",
                               "only gpu of nvidia-l4: met by some choice, not beside the others"});
  const Choices choices = study.choices("minimize = \"price_USD\"\n");
  double most = 0, most_of_l4 = 0;
  for (const Result& result : all_results(choices)) {
    const bool l4 = std::ranges::count(result.bill, "nvidia-l4", &BillLine::name) > 0;
    most = std::max(most, *result.power_W);
    if (l4) most_of_l4 = std::max(most_of_l4, *result.power_W);
  }
  REQUIRE(most_of_l4 < most);
  const auto beside_a_wish = told("only = [{ kind = \"gpu\", names = [\"nvidia-l4\"] }]\n" +
                                  fmt::format("constraint = [\"power_W >= {}\"]\n", most - 1));
  REQUIRE(beside_a_wish.size() == 2);
  CHECK(beside_a_wish[0] == "only gpu of nvidia-l4: met by some choice, not beside the others");
  CHECK(beside_a_wish[1].find(fmt::format("met by some choice, not beside the others; the closest "
                                          "that the others leave is {:.6g}",
                                          most_of_l4)) != std::string::npos);
}

TEST_CASE("a rule about makers names the kinds and products that there are") {
  const auto told = [](const std::string& rule) {
    return refusal_of([&] {
      parse_goal("scenario = \"scenario.toml\"\n" + kAxes + "only = [" + rule + "]\n", "goal.toml",
                 own_catalog());
    });
  };
  CHECK(
      told("{ kind = \"gpus\", names = [\"amd-*\"] }") ==
      "goal.toml:8:9: error: only: there is no kind of product \"gpus\"; did you mean \"gpu\"?\n");
  CHECK(told("{ kind = \"gpu\", names = [\"nvidia-l400\", \"nvidia-*\"] }") ==
        "goal.toml:8:9: error: only: no gpu is called \"nvidia-l400\"; did you mean "
        "\"nvidia-l40s\"?\n");
  CHECK(told("{ kind = \"drive\", names = [] }") ==
        "goal.toml:8:9: error: only: names of drive are needed\n");
}

TEST_CASE("a wish that nothing meets is named with the closest value") {
  const GoalStudy study;
  const Choices choices = study.choices("constraint = [\"throughput_samples_per_s >= 1000\"]\n");
  double most = 0;
  for (const Result& result : all_results(choices)) most = std::max(most, result.job_samples_per_s);
  const Recommendation answer = recommend(choices, {.jobs = 2});
  CHECK(answer.chosen.empty());
  REQUIRE(answer.obstacles.size() == 1);
  CHECK(answer.obstacles.front().alone);
  REQUIRE(answer.obstacles.front().closest);
  CHECK(*answer.obstacles.front().closest == most);
}

TEST_CASE("wishes that contradict one another are both named, each with what the other leaves") {
  const GoalStudy study;
  double least = 1e9;
  for (const Result& result : all_results(study.choices("constraint = [\"price_USD > 0\"]\n")))
    least = std::min(least, *result.price_USD);
  const double limit = std::ceil(1.02 * least);
  const Choices choices = study.choices(fmt::format(
      "constraint = [\"accelerator_utilization >= 80 %\", \"price_USD <= {}\"]\n", limit));
  std::optional<double> cheapest_busy, busiest_cheap;
  for (const Result& result : all_results(choices)) {
    if (result.job_gpu_utilization >= 0.8)
      cheapest_busy = std::min(cheapest_busy.value_or(1e9), *result.price_USD);
    if (*result.price_USD <= limit)
      busiest_cheap = std::max(busiest_cheap.value_or(0), result.job_gpu_utilization);
  }
  const Recommendation answer = recommend(choices, {.jobs = 2});
  CHECK(answer.chosen.empty());
  REQUIRE(answer.obstacles.size() == 2);
  CHECK_FALSE(answer.obstacles[0].alone);
  CHECK(answer.obstacles[0].closest == busiest_cheap);
  CHECK(answer.obstacles[1].closest == cheapest_busy);
}

TEST_CASE("a goal that names what is not there is refused with the nearest name") {
  const GoalStudy study;
  CHECK(refusal_of([&] {
          study.choices("minimize = \"price_USB\"\n");
        }).find("minimize: there is no \"price_USB\"; did you mean \"price_USD\"?") !=
        std::string::npos);
  CHECK(refusal_of([&] {
          study.choices("minimize = \"price_USD\"\nmaximize = \"power_W\"\n");
        }).find("give one of minimize, maximize and front") != std::string::npos);
}

TEST_CASE("constraints that cannot be compared are refused before the search, each of them") {
  const GoalStudy study;
  CHECK(refusal_of([&] {
          study.choices(
              "minimize = \"price_USD\"\nconstraint = [\"accelerator_utilization >= 90 %\", "
              "\"price_USD <= 5000 USD\"]\n");
        })
            .find("\"price_USD <= 5000 USD\": a number without a unit cannot be compared with a "
                  "price") != std::string::npos);
}
