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
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const char* const kScenario =
    "title = \"t\"\nsystem = { chassis = \"supermicro-as-2125hs-tnr\", cpu = \"2 x "
    "amd-epyc-9124\", "
    "memory = \"384 GB\", gpu = \"2 x nvidia-a10\", drives = \"2 x micron-5300-pro-3.84tb\" }\n"
    "[workload]\nmodel = \"unet3d\"\ndataset = \"mlperf-unet3d\"\ndataset_samples = 6000\n"
    "precision = \"fp16\"\nbatch_per_gpu = 4\n";
const std::string kAxes =
    "axis = [\n"
    "{ name = \"gpu\", path = \"system.gpu\", values = [\"2 x nvidia-l4\", \"2 x nvidia-a10\"] },\n"
    "{ name = \"cpu\", path = \"system.cpu\", values = [\"2 x amd-epyc-9354\", \"2 x "
    "amd-epyc-9124\"] "
    "},\n"
    "{ name = \"drives\", path = \"system.drives\", values = [\"1 x micron-5300-pro-3.84tb\", "
    "\"4 x micron-5300-pro-3.84tb\", \"8 x micron-5300-pro-3.84tb\", \"12 x "
    "micron-5300-pro-3.84tb\"] },\n"
    "{ name = \"workers\", path = \"loader.workers_per_gpu\", values = [4, 12] },\n]\n";

struct Study {
  TemporaryFolder folder;

  Choices choices(const std::string& goal, const std::string& seed = "1",
                  const std::string& axes = kAxes) const {
    folder.write("scenario.toml", kScenario);
    const auto file = folder.write("goal.toml", "scenario = \"scenario.toml\"\n" + goal + axes);
    return choices_of(load_goal(file, own_catalog()), own_catalog(), {{"run.seed", seed, "--seed"}},
                      "1");
  }
};

std::vector<Result> all_results(const Choices& choices) {
  std::vector<Result> results;
  for (std::int64_t i = 0; i < choices.count(); ++i)
    results.push_back(simulate(scenario_of(choices, i, 0)));
  return results;
}

}  // namespace

TEST_CASE("the cheapest choice is that of a search through all") {
  const Study study;
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
  const Study study;
  const Choices choices = study.choices(
      "", "1",
      "minimize = \"price_USD\"\naxis = [{ name = \"drives\", path = \"system.drives\", values = "
      "[\"1 x aws-p5-nvme-3.84tb\", \"2 x micron-5300-pro-3.84tb\"] }]\n");
  const Recommendation answer = recommend(choices, {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().number == 1);
}

TEST_CASE("of choices at one price the fastest is named") {
  const Study study;
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
  const Study study;
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
  const Study study;
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
  const Study study;
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
  const Study study;
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
  const Study study;
  const auto answer = recommend(
      study.choices("minimize = \"workers\"\nconstraint = [\"accelerator_utilization >= 50 %\"]\n"),
      {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().values.back().value == "4");
}

TEST_CASE("of what is in stock no more is taken") {
  const Study study;
  const auto answer = recommend(study.choices("maximize = \"throughput_samples_per_s\"\n"
                                              "stock = [{ name = \"micron-*\", count = 4 }]\n"),
                                {.jobs = 1});
  REQUIRE(answer.chosen.size() == 1);
  CHECK(answer.chosen.front().values[2].value == "\"4 x micron-5300-pro-3.84tb\"");
  CHECK(answer.excluded_by_conditions == 16);
}

TEST_CASE("of the makers that are wanted, and of no other, parts are taken") {
  const Study study;
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
  const Study study;
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
  const Study study;
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
  const Study study;
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
  const Study study;
  const Choices choices =
      study.choices("constraint = [\"accelerator_utilization >= 80 %\", \"price_USD <= 25000\"]\n");
  std::optional<double> cheapest_busy, busiest_cheap;
  for (const Result& result : all_results(choices)) {
    if (result.job_gpu_utilization >= 0.8)
      cheapest_busy = std::min(cheapest_busy.value_or(1e9), *result.price_USD);
    if (*result.price_USD <= 25000)
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
  const Study study;
  CHECK(refusal_of([&] {
          study.choices("minimize = \"price_USB\"\n");
        }).find("minimize: there is no \"price_USB\"; did you mean \"price_USD\"?") !=
        std::string::npos);
  CHECK(refusal_of([&] {
          study.choices("minimize = \"price_USD\"\nmaximize = \"power_W\"\n");
        }).find("give one of minimize, maximize and front") != std::string::npos);
}

TEST_CASE("constraints that cannot be compared are refused before the search, each of them") {
  const Study study;
  CHECK(refusal_of([&] {
          study.choices(
              "minimize = \"price_USD\"\nconstraint = [\"accelerator_utilization >= 90 %\", "
              "\"price_USD <= 5000 USD\"]\n");
        })
            .find("\"price_USD <= 5000 USD\": a number without a unit cannot be compared with a "
                  "price") != std::string::npos);
}

TEST_CASE("the command that shows a choice has the options of the search") {
  const Study study;
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
  const Study study;
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
  const Study study;
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
