// SPDX-License-Identifier: Apache-2.0
// Scenarios side by side: what differs, and how sure it is that one is faster.
#include "reports/study/compare.h"

#include <doctest/doctest.h>

#include <cmath>

#include "reports/writers/comparison_text.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

Result rated(double rate, double half_width, const std::string& scenario) {
  Result result;
  result.title = "t";
  result.throughput_samples_per_s = rate;
  result.simulated.step_rate_uncertainty = half_width;
  result.scenario = scenario;
  return result;
}

BillLine line(const char* kind, const char* name, double count) {
  BillLine out;
  out.kind = kind;
  out.name = name;
  out.count = count;
  return out;
}

/// The share of a normal distribution below `z`, by summing its density.
double normal_below(double z) {
  double sum = 0;
  constexpr double kStep = 1e-4;
  for (double x = -10; x < z; x += kStep) sum += std::exp(-x * x / 2) * kStep;
  return sum / std::sqrt(2 * std::acos(-1.0));
}

std::vector<std::string> names_of(const SideBySide& comparison) {
  std::vector<std::string> names;
  for (const auto& difference : comparison.differences) names.push_back(difference.name);
  return names;
}

}  // namespace

TEST_CASE("keys that differ are listed as --set names them, titles are not") {
  const auto comparison = compared(
      {"a.toml", "b.toml"},
      {rated(100, 0.01,
             "title = \"a\"\nnodes = 1\n\n[loader]\nworkers_per_gpu = 8\nstyle = \"x\"\n"),
       rated(100, 0.01,
             "title = \"b\"\nnodes = 1\n\n[loader]\nworkers_per_gpu = 16\nstyle = \"x\"\n\n"
             "[[replace]]\npart = \"ssd*\"\n\n[[replace]]\npart = \"nic*\"\n")});
  CHECK(names_of(comparison) ==
        std::vector<std::string>{"loader.workers_per_gpu", "replace[0].part", "replace[1].part"});
  CHECK(comparison.differences[0].values == std::vector<std::string>{"8", "16"});
  CHECK(comparison.differences[1].values == std::vector<std::string>{"", "\"ssd*\""});
}

TEST_CASE("tables in a key's place are compared key by key") {
  const auto comparison = compared(
      {"a", "b"},
      {rated(100, 0.01, "checkpoint = { interval_steps = 100, at = \"nas\", sync = true }\n"),
       rated(100, 0.01, "checkpoint = { interval_steps = 100, at = \"nas\" }\n")});
  REQUIRE(names_of(comparison) == std::vector<std::string>{"checkpoint.sync"});
  CHECK(comparison.differences[0].values == std::vector<std::string>{"true", ""});
}

TEST_CASE("values that differ only behind the width of a column stand below one another, whole") {
  const std::string start = "a list of parts so long that no column of a screen takes it: ";
  const auto text = to_text(compared({"a", "b"}, {rated(100, 0.01, "why = '" + start + "x'\n"),
                                                  rated(100, 0.01, "why = '" + start + "y'\n")}));
  CHECK(text.find("why\n  A  " + start + "x\n  B  " + start + "y\n") != std::string::npos);
}

TEST_CASE("products are counted over all lines of the bill") {
  Result one = rated(100, 0.01, "");
  Result other = one;
  one.bill = {line("drive", "x", 4), line("gpu", "g", 8)};
  other.bill = {line("drive", "x", 6), line("gpu", "g", 8), line("drive", "x", -1)};
  const auto comparison = compared({"a", "b"}, {one, other});
  REQUIRE(names_of(comparison) == std::vector<std::string>{"drive x"});
  CHECK(comparison.differences[0].values == std::vector<std::string>{"4", "5"});
}

TEST_CASE("the probability is that of two normal logarithms") {
  // Half widths of 95 % are 1.96 deviations.
  for (const double better : {1.0, 1.002, 1.01, 1.05}) {
    const auto comparison =
        compared({"a", "b"}, {rated(100, 0.01, ""), rated(100 * better, 0.02, "")});
    const double deviation = std::hypot(0.01, 0.02) / 1.96;
    REQUIRE(comparison.duels.size() == 1);
    CHECK(comparison.duels[0].probability ==
          approx(normal_below(std::log(better) / deviation)).epsilon(1e-3));
    CHECK(comparison.duels[0].ratio == about(better));
    if (better > 1) CHECK(comparison.duels[0].faster == 1);
  }
}

TEST_CASE("what is common to both is off by as much in both, what is not may turn the order") {
  // Rates 2 % apart. One is off by 10 % (standard deviation): a share of draws turns the order.
  const std::vector<Result> results{rated(102, 1e-4, ""), rated(100, 1e-4, "")};
  std::vector<double> common, own;
  constexpr int kDraws = 400;
  double below = 0;  // of the normal distribution, walked through once
  constexpr double kStep = 1e-4;
  for (double x = -6; x < 6 && std::ssize(own) < kDraws; x += kStep) {
    below += std::exp(-x * x / 2) * kStep / std::sqrt(2 * std::acos(-1.0));
    if (below < (static_cast<double>(own.size()) + 0.5) / kDraws) continue;
    common.push_back(0.3 * x);
    own.push_back(0.1 * x);
  }
  const auto told = [&](const std::vector<double>& a, const std::vector<double>& b) {
    return compared({"a", "b"}, results, {{a, {}}, {b, {}}}).duels.at(0);
  };
  CHECK(*told(common, common).probability_uncertain == approx(1).epsilon(1e-6));
  const std::vector<double> exact(kDraws, 0.0);
  CHECK(*told(own, exact).probability_uncertain ==
        approx(normal_below(std::log(1.02) / 0.1)).epsilon(0.01));
  CHECK(told(own, exact).probability == approx(1).epsilon(1e-6));
  CHECK_FALSE(told(own, {}).probability_uncertain);
}

TEST_CASE("what cannot be told apart is said to be equal, and nothing is certain") {
  const auto told = [](double rate) {
    return to_text(compared({"a", "b"}, {rated(100, 0.01, ""), rated(rate, 0.01, "")}));
  };
  CHECK(told(100.1).find("equally fast, as far as can be told: 0.1 % apart") != std::string::npos);
  CHECK(told(200).find("B beats A by 100 %, with a probability of more than 99.9 %") !=
        std::string::npos);
}

namespace {

/// Of three epochs as long as one another, after copying in.
Result of_epochs(double rate, double copied_s, double samples = 3000) {
  Result result = rated(rate, 1e-3, "");
  result.staging_s = copied_s;
  result.training_s = samples / rate;
  result.epoch_s = result.first_epoch_s = result.training_s / 3;
  result.time_to_result_s = copied_s + result.training_s;
  return result;
}

}  // namespace

TEST_CASE("who has the result first is told where copying in turns it, with what makes it so") {
  const auto comparison = compared({"a", "b"}, {of_epochs(100, 30), of_epochs(105, 300)});
  REQUIRE(comparison.duels.size() == 1);
  CHECK(comparison.duels[0].faster == 1);
  REQUIRE(comparison.finishes.size() == 1);
  const Duel& finish = comparison.finishes[0];
  CHECK(finish.faster == 0);
  CHECK(finish.ratio == about((300 + 3000 / 105.0) / (30 + 30)));
  CHECK(finish.probability == approx(1).epsilon(1e-6));
  CHECK(finish.why == "copying in takes 30 s instead of 5.0 min");
  const auto verdicts = verdicts_of(comparison);
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].starts_with("Once under way, B beats A by 5 %"));
  CHECK(verdicts[1].starts_with("A is done before B: in 1.0 min instead of 5.5 min, 81.7 % less"));
}

TEST_CASE("times in the ratio of the rates say nothing beside them") {
  CHECK(compared({"a", "b"}, {of_epochs(100, 0), of_epochs(150, 0)}).finishes.empty());
  CHECK(compared({"a", "b"}, {of_epochs(100, 60), of_epochs(150, 40)}).finishes.empty());
  CHECK(compared({"a", "b"}, {rated(100, 1e-3, ""), rated(150, 1e-3, "")}).finishes.empty());
}

TEST_CASE("equal rates, and more to copy in: by the draws of the times, how sure that is") {
  // 2 % apart, and every draw of one that the other does not share takes 2 % back, or adds it.
  const std::vector<Result> results{of_epochs(100, 30), of_epochs(100, 30 + 0.02 * 60)};
  const std::vector<double> none(2, 0.0);
  const auto told = [&](double off) {
    const auto comparison = compared({"a", "b"}, results, {{none, {off, -off}}, {none, none}});
    REQUIRE(comparison.finishes.size() == 1);
    return *comparison.finishes[0].probability_uncertain;
  };
  CHECK(told(0) == approx(1).epsilon(1e-6));
  CHECK(told(std::log(1.02)) == approx(0.75).epsilon(1e-3));
  CHECK(told(1) == approx(0.5).epsilon(1e-3));
}

TEST_CASE("a longer first epoch and more samples are reasons, too") {
  Result cold = of_epochs(100, 0);
  cold.first_epoch_s += 20;
  cold.training_s += 20;
  cold.time_to_result_s += 20;
  const auto first = compared({"a", "b"}, {of_epochs(100, 0), cold});
  REQUIRE(first.finishes.size() == 1);
  CHECK(first.finishes[0].why == "the first epoch takes 10 s instead of 30 s");
  const auto more = compared({"a", "b"}, {of_epochs(100, 0, 6000), of_epochs(100, 0)});
  REQUIRE(more.finishes.size() == 1);
  CHECK(more.finishes[0].faster == 1);
  CHECK(more.finishes[0].why == "it trains on 3,000 samples instead of 6,000");
}

TEST_CASE("every two of several are held against each other") {
  const auto comparison =
      compared({"a", "b", "c"}, {rated(1, 0.01, ""), rated(3, 0.01, ""), rated(2, 0.01, "")});
  REQUIRE(comparison.duels.size() == 3);
  CHECK(comparison.duels[0].faster == 1);
  CHECK(comparison.duels[1].faster == 2);
  CHECK(comparison.duels[2].faster == 1);
}
