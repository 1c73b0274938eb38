// SPDX-License-Identifier: Apache-2.0
// Scenarios side by side: what differs, and how sure it is that one is faster.
#include "reports/study/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "reports/writers/comparison_text.h"
#include "tests/support/approx.h"
#include "tests/support/rated.h"

using namespace gpufeed;

namespace {

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

TEST_CASE("stores that are only called otherwise differ in one line") {
  const auto text = [](const std::string& name, const std::string& model) {
    return "[data]\nat = \"" + name + "\"\nstaging = { from = \"" + name + "\" }\n[store." + name +
           "]\nmodel = \"" + model + "\"\nvia = [\"ib0\"]\n[store.both]\nmodel = \"z\"\n";
  };
  const auto with_ways = [&](const std::string& name, const std::string& model) {
    Result result = rated(100, 0.01, text(name, model));
    result.topology.nodes = {{"ib0", "nic", PartKind::nic},
                             {name, "store", PartKind::store},
                             {name + " network", "network", PartKind::store}};
    result.topology.edges = {{"ib0", name + " network", "", 0, 2},
                             {name + " network", name, "", 2, 1}};
    return result;
  };
  const auto same = compared({"a", "b"}, {with_ways("flash", "x"), with_ways("stor", "x")});
  REQUIRE(names_of(same) == std::vector<std::string>{"name of store flash"});
  CHECK(same.differences[0].values == std::vector<std::string>{"\"flash\"", "\"stor\""});
  const auto other = compared({"a", "b"}, {with_ways("flash", "x"), with_ways("stor", "y")});
  REQUIRE(names_of(other) == std::vector<std::string>{"store.flash.model", "name of store flash"});
  CHECK(other.differences[0].values == std::vector<std::string>{"\"x\"", "\"y\""});
  // One more store is none of another name.
  Result more = with_ways("flash", "x");
  more.scenario += "[store.third]\nmodel = \"x\"\n";
  CHECK(names_of(compared({"a", "b"}, {with_ways("flash", "x"), more})) ==
        std::vector<std::string>{"store.third.model"});
}

TEST_CASE("of workloads of several kinds, keys that not all take are counted") {
  const std::string both = "[run]\nseed = 1\n";
  const auto comparison = compared(
      {"a", "b"}, {rated(100, 0.01,
                         "nodes = 2\n[workload]\nkind = \"training\"\nmodel = \"m\"\n"
                         "[loader]\nstyle = \"x\"\njobs = 2\n" +
                             both),
                   rated(100, 0.01, "[workload]\nkind = \"io\"\n" + both + "fold = true\n")});
  REQUIRE(names_of(comparison) == std::vector<std::string>{"nodes", "workload.kind",
                                                           "workload.model",
                                                           "keys that not all kinds take"});
  CHECK(comparison.differences.back().values == std::vector<std::string>{"2", "1"});
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

TEST_CASE("what is described in the place of a name is told by its title") {
  Result one = rated(100, 0.01, "store = { s = { model = \"store.s.model\" } }\n");
  Result other = one;
  one.bill = {line("array", "store.s.model", 1)};
  other.bill = one.bill;
  const auto told = [&](const std::string& title) {
    return compared({"a", "b"}, {one, other}, {}, {},
                    {{{"store.s.model", "a filer"}}, {{"store.s.model", title}}});
  };
  CHECK(told("a filer").differences.empty());
  const auto comparison = told("flash");
  REQUIRE(names_of(comparison) ==
          std::vector<std::string>{"store.s.model", "array \"a filer\"", "array \"flash\""});
  CHECK(comparison.differences[0].values == std::vector<std::string>{"\"a filer\"", "\"flash\""});
  CHECK(comparison.differences[1].values == std::vector<std::string>{"1", ""});
}

TEST_CASE("what language models train is told in tokens, and prices by the dollar") {
  Result one = rated(100, 0.01, "");
  Result other = one;
  one.tokens_per_s = one.job_tokens_per_s = 409600;
  one.price_USD = 9726656.4;
  one.bill = {line("chassis", "chassis", 4)};
  const auto text_of = [&] { return to_text(compared({"a", "b"}, {one, other})); };
  CHECK(text_of().find("tokens/s                      409,600                            -\n") !=
        std::string::npos);
  CHECK(text_of().find("9,726,656 USD") != std::string::npos);
  CHECK(text_of().find("chassis chassis") == std::string::npos);
  one.tokens_per_s.reset();
  one.job_tokens_per_s.reset();
  CHECK(text_of().find("tokens/s") == std::string::npos);
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
    return compared({"a", "b"}, results, {{a}, {b}}).duels.at(0);
  };
  CHECK(*told(common, common).probability_uncertain == approx(1).epsilon(1e-6));
  const std::vector<double> exact(kDraws, 0.0);
  CHECK(*told(own, exact).probability_uncertain ==
        approx(normal_below(std::log(1.02) / 0.1)).epsilon(0.01));
  CHECK(told(own, exact).probability == approx(1).epsilon(1e-6));
  CHECK_FALSE(told(own, {}).probability_uncertain);
}

// w^2 = sigma^2 + sigma'^2 - 2 r sigma sigma', and Student's t with four degrees of freedom, whose
// distribution at z is 1/2 + 3/8 z / sqrt(1 + z^2/4) (1 - z^2 / (12 (1 + z^2/4))).
TEST_CASE("errors of the model are shared within a mechanism, as far as it says, and not beyond") {
  const std::vector<Result> results{rated(110, 1e-6, ""), rated(100, 1e-6, "")};
  const std::vector<double> none(1, 0.0);
  const auto told = [&](Mechanism one, Mechanism other, double shared) {
    const Drawn a{none, one, 0.1, shared}, b{none, other, 0.1, shared};
    return *compared({"a", "b"}, results, {a, b}).duels.at(0).probability_uncertain;
  };
  const auto below = [](double z) {
    const double part = 1 + z * z / 4;
    return 0.5 + 3.0 / 8 * z / std::sqrt(part) * (1 - z * z / 12 / part);
  };
  const auto node = Mechanism::rate_on_one_node, store = Mechanism::storage_binds;
  const double apart = std::log(1.1);
  CHECK(told(node, node, 0) == approx(below(apart / (0.1 * std::sqrt(2)))).epsilon(1e-6));
  CHECK(told(node, node, 0.5) == approx(below(apart / 0.1)).epsilon(1e-6));
  CHECK(told(node, node, 1) == approx(1).epsilon(1e-6));
  CHECK(told(node, store, 1) == told(node, node, 0));
}

TEST_CASE("a scenario is as fast as itself with a probability of 50 %") {
  const std::vector<Result> results{rated(100, 0.01, ""), rated(100, 0.01, "")};
  const Drawn one{{0.1, -0.3}, Mechanism::estimated_step, 0.3, 0.5};
  const auto duel = compared({"a", "b"}, results, {one, one}).duels.at(0);
  CHECK(duel.probability == 0.5);
  CHECK(*duel.probability_uncertain == 0.5);
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
  result.job_samples = static_cast<std::int64_t>(samples);
  result.job_samples_per_s = samples / result.time_to_result_s;
  return result;
}

}  // namespace

TEST_CASE("copying in and the first epoch count, as they do in the job's rate") {
  const auto copied = compared({"a", "b"}, {of_epochs(100, 30), of_epochs(105, 300)});
  REQUIRE(copied.duels.size() == 1);
  CHECK(copied.duels[0].faster == 0);
  CHECK(copied.duels[0].ratio == about((300 + 3000 / 105.0) / (30 + 30)));
  CHECK(copied.duels[0].probability == approx(1).epsilon(1e-6));
  CHECK(copied.finishes.empty());
  // Steps that are as long: copying in takes half of the time, so that half as much is chance.
  const auto unsure = compared({"a", "b"}, {of_epochs(100, 30), of_epochs(100, 30.06)});
  const double deviation = 1e-3 / 1.96 * 30 / 60;
  CHECK(unsure.duels[0].probability ==
        approx(normal_below(1e-3 / (std::sqrt(2) * deviation))).epsilon(1e-3));
}

TEST_CASE("how sure an order is follows from the draws of the times") {
  // 2 % apart, and every draw of one that the other does not share takes 2 % back, or adds it.
  const std::vector<Result> results{of_epochs(100, 30), of_epochs(100, 30 + 0.02 * 60)};
  const auto told = [&](double off) {
    return *compared({"a", "b"}, results, {{{off, -off}}, {{0, 0}}})
                .duels.at(0)
                .probability_uncertain;
  };
  CHECK(told(0) == approx(1).epsilon(1e-6));
  CHECK(told(std::log(1.02)) == approx(0.75).epsilon(1e-3));
  CHECK(told(1) == approx(0.5).epsilon(1e-3));
}

TEST_CASE("who has the result first is told where one trains on more samples") {
  CHECK(compared({"a", "b"}, {rated(100, 1e-3, ""), rated(150, 1e-3, "")}).finishes.empty());
  const auto more = compared({"a", "b"}, {of_epochs(105, 0, 6000), of_epochs(100, 0)});
  CHECK(more.duels[0].faster == 0);
  REQUIRE(more.finishes.size() == 1);
  CHECK(more.finishes[0].faster == 1);
  CHECK(more.finishes[0].ratio == about(6000 / 105.0 / 30));
  CHECK(more.finishes[0].why == "it trains on 3,000 samples instead of 6,000");
  const auto verdicts = verdicts_of(more);
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].starts_with("B is done before A: in 30 s instead of "));
  CHECK(verdicts[1].starts_with("In samples/s, A beats B by 5 %"));
  const auto whole = compared({"a", "b"}, {of_epochs(100, 0, 999'936), of_epochs(100, 0)});
  CHECK(whole.finishes.at(0).why == "it trains on 3,000 samples instead of 999,936");
}

TEST_CASE("one probability is shown: that of all that is uncertain, where it is known") {
  const std::vector<Result> results{rated(110, 1e-6, ""), rated(100, 1e-6, "")};
  const Drawn one{{0.0}, Mechanism::rate_on_one_node, 0.1, 0};
  const auto said = verdicts_of(compared({"a", "b"}, results, {one, one})).at(0);
  CHECK(said == "A beats B by 10 %, with a probability of 73.1 %");
  CHECK(verdicts_of(compared({"a", "b"}, results)).at(0) ==
        "A beats B by 10 %, with a probability of more than 99.9 %");
}

TEST_CASE("every two of several are held against each other") {
  const auto comparison =
      compared({"a", "b", "c"}, {rated(1, 0.01, ""), rated(3, 0.01, ""), rated(2, 0.01, "")});
  REQUIRE(comparison.duels.size() == 3);
  CHECK(comparison.duels[0].faster == 1);
  CHECK(comparison.duels[1].faster == 2);
  CHECK(comparison.duels[2].faster == 1);
}
