// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "reports/study/choices.h"
#include "reports/study/recommend.h"
#include "reports/study/served_points.h"
#include "reports/study/served_whatif.h"
#include "reports/study/sweep_plan.h"
#include "reports/writers/engine_text.h"
#include "reports/writers/recommendation_text.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/sweep.h"
#include "sim/serving/outcomes.h"
#include "tests/serving/engine.h"

// What to buy for serving, by the machinery of sweeps and goals.
namespace gpufeed::serving {
namespace {

const Catalog& catalog() {
  static const Catalog one{{kRoot / "hw_catalog", kRoot / "workloads"}};
  return one;
}

/// A file of serving in a folder of its own, taken away in the end.
class ServingFile {
 public:
  ServingFile()
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("gpufeed-served-{}", static_cast<const void*>(this))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path()) << file_of(
        "llama-3.1-8b", std::string(kH100) + "goal = { ttft_p95 = '1 s' }\n",
        "rate = '8 requests/s'\nprompt = 3000\nanswer = 250\nprompts = 0\ncount = 300\n",
        "[[serving.tier]]\nat = 'none'\n[volume.cache]\ndrive = 'kioxia-cm7-r-7.68tb'\n");
  }
  ~ServingFile() { std::filesystem::remove_all(folder_); }
  ServingFile(const ServingFile&) = delete;
  ServingFile& operator=(const ServingFile&) = delete;

  std::string path() const { return (folder_ / "serving.toml").string(); }

 private:
  std::filesystem::path folder_;
};

gpufeed::Goal goal_of(const ServingFile& file, const std::string& aims) {
  return parse_goal(fmt::format("scenario = '{}'\n{}\naxis = [{{ name = 'groups', path = "
                                "'serving.replicas', values = [1, 2, 3, 4, 6] }}]\n",
                                file.path(), aims),
                    "goal.toml", catalog());
}

Recommendation found(const ServingFile& file, const std::string& aims) {
  return recommend(choices_of(goal_of(file, aims), catalog(), {}, "test"), {});
}

std::string refused(const ServingFile& file, const std::string& aims) {
  try {
    found(file, aims);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("fewest GPUs: the first number of replicas of which one by one simulation says so") {
  const ServingFile file;
  std::int64_t fewest = 0;
  for (const int replicas : {1, 2, 3, 4, 6}) {
    Document document = load_serving(file.path(), catalog());
    document.serving.replicas = replicas;
    if (fewest == 0 && one_draw(document).ttft_s.p95 <= 1) fewest = replicas;
  }
  REQUIRE(fewest > 1);
  const Recommendation answer = found(file, "minimize = 'gpus'\nconstraint = ['ttft_p95 <= 1 s']");
  REQUIRE(answer.chosen.size() == 1);
  const Choice& choice = answer.chosen.front();
  CHECK(choice.values.front().value == std::to_string(fewest));
  REQUIRE(choice.chance);
  CHECK(*choice.chance > 0);
  CHECK(*choice.chance < 1);
  const std::string screen = to_text(answer);
  CHECK(says(screen, "TTFT 95 %"));
  CHECK(says(screen, "USD"));
  CHECK_FALSE(says(screen, "samples/s"));
}

TEST_CASE("a limit of a time is in seconds with and without its unit; another unit is refused") {
  const ServingFile file;
  const auto chosen = [&](const std::string& limit) {
    const auto answer =
        found(file, "minimize = 'gpus'\nconstraint = ['ttft_s.p95 <= " + limit + "']");
    return answer.chosen.front().values.front().value;
  };
  CHECK(chosen("1 s") == chosen("1"));
  CHECK(chosen("1000 ms") == chosen("1"));
  CHECK(says(refused(file, "constraint = ['ttft_p95 <= 1 GB']"), "cannot be compared"));
  CHECK(says(refused(file, "constraint = ['ttft_p59 <= 1 s']"), "ttft_p59"));
  CHECK(says(refused(file, "minimize = 'job_gpu_utilization'"), "there is no"));
  CHECK(says(refused(file, "front = ['gpus', 'goodput_per_s']"), "is not asked"));
}

TEST_CASE("a goal that nothing meets says how near the nearest comes") {
  const ServingFile file;
  const Recommendation answer = found(file, "minimize = 'gpus'\nconstraint = ['ttft_p95 <= 1 ms']");
  CHECK(answer.chosen.empty());
  REQUIRE(answer.obstacles.size() == 1);
  CHECK(answer.obstacles.front().alone);
  REQUIRE(answer.obstacles.front().closest);
  CHECK(*answer.obstacles.front().closest > 0.001);
}

TEST_CASE("a front of price and time has every number of replicas that is faster than fewer") {
  const ServingFile file;
  const Recommendation answer = found(file, "front = ['price_USD', 'ttft_p95']");
  REQUIRE(answer.chosen.size() > 1);
  double before = 1e9;
  for (const Choice& one : answer.chosen) {
    Document document = load_serving(file.path(), catalog());
    document.serving.replicas = std::stoll(one.values.front().value);
    const double ttft = one_draw(document).ttft_s.p95;
    CHECK(ttft < before);
    before = ttft;
  }
  CHECK(answer.chosen.front().values.front().value == "1");
  CHECK(says(to_text(answer), "TTFT 95 %"));
}

TEST_CASE("points of a sweep have the keys of the answer as typed columns") {
  const ServingFile file;
  const Sweep sweep =
      parse_sweep(fmt::format("scenario = '{}'\nconstraint = ['goodput >= 1']\naxis = [{{ path = "
                              "'serving.replicas', values = [1, 4] }}]\n",
                              file.path()),
                  "sweep.toml", catalog());
  const SweepPlan plan = plan_points(sweep, catalog().remembering(), {}, "test");
  CHECK(plan.studied() == Studied::serving);
  const SweepRow row = evaluate(plan, 1);
  CHECK(row.message == "");
  REQUIRE(row.good);
  REQUIRE(row.chance);
  const auto& columns = result_columns(Studied::serving);
  REQUIRE(row.result.size() == columns.size());
  const auto cell = [&](const std::string& name) {
    const auto at = std::ranges::find(columns, name, &ResultColumn::name);
    REQUIRE(at != columns.end());
    return row.result[static_cast<std::size_t>(at - columns.begin())];
  };
  CHECK(std::get<std::int64_t>(cell("gpus")) == 4);
  CHECK(std::get<double>(cell("ttft_s.p95")) > 0);
  CHECK_FALSE(std::get<std::string>(cell("bottleneck")).empty());
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!std::holds_alternative<std::monostate>(row.result[i]))
      CHECK(row.result[i].index() == columns[i].empty.index());
}

TEST_CASE("chances are shares of outcomes; all slower by a factor is slower by no less") {
  const ServingFile file;
  Document document = load_serving(file.path(), catalog());
  document.serving.replicas = 4;
  const Answer now = one_draw(document);
  const auto outcomes = outcomes_of(document, now);
  REQUIRE(std::ssize(outcomes) == kOutcomesTried);
  std::vector<Condition> conditions;
  const gpufeed::Goal goal =
      goal_of(file, "constraint = ['ttft_p95 <= 200 ms', 'price_USD <= 1e6']");
  conditions = goal.constraints;
  take_columns_meant(conditions, Studied::serving);
  const Chances chances = chances_in(outcomes, conditions);
  const auto held =
      std::ranges::count_if(outcomes, [](const Answer& one) { return one.ttft_s.p95 <= 0.2; });
  CHECK(chances.each[0] == doctest::Approx((static_cast<double>(held) + 0.5) / 21));
  CHECK(chances.each[1] == 1);
  CHECK(one_draw(document, {1.2, 1}).e2e_s.mean >= 1.2 * now.e2e_s.mean * (1 - 1e-9));
}

TEST_CASE("what-if says what to buy, with chances, and says nothing where the goal is met") {
  const ServingFile file;
  Document document = load_serving(file.path(), catalog());
  const Answer missed = what_if(document, {});
  REQUIRE(missed.meets_chance);
  const auto more = std::ranges::find(missed.what_if, "a GPU more (a replica)", &WhatIf::change);
  REQUIRE(more != missed.what_if.end());
  CHECK(more->price_change_USD == 30000);
  REQUIRE(more->better);
  CHECK(*more->better > 0.9);
  CHECK(says(advice_text(missed), "Buy"));
  document.serving.replicas = 6;
  CHECK(says(advice_text(what_if(document, {})), "nothing: the goal is met as it is"));
}

}  // namespace gpufeed::serving
