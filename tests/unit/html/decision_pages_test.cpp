// SPDX-License-Identifier: Apache-2.0
// Pages of compare, whatif, recommend and validate: whole, and text of others stays text.
#include <doctest/doctest.h>

#include "reports/html/changes.h"
#include "reports/html/compare_page.h"
#include "reports/html/recommend_page.h"
#include "reports/html/validation_page.h"
#include "reports/html/whatif_page.h"
#include "tests/support/markup_check.h"

using namespace gpufeed;

namespace {

constexpr const char* kHostile = "<b>'\"&";
const html::PageHead kHead{kHostile, kHostile, "1", {{kHostile, kHostile}}};

bool has(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

WhatIfRow change(const std::string& text, double gain, std::optional<double> price) {
  WhatIfRow row;
  row.change = text;
  row.gain = row.throughput_gain = gain;
  row.is_free = !price;
  row.price_change_USD = price;
  row.sets = {"loader.workers_per_gpu=16"};
  return row;
}

Choice choice(const std::string& drives, double price, double rate) {
  Choice one;
  one.values = {{"drives", "system.drives", drives}};
  one.price_USD = price;
  one.job_samples_per_s = rate;
  return one;
}

}  // namespace

TEST_CASE("what-if bars are as long as their gains, and the options stand in the table") {
  WhatIf report;
  report.title = kHostile;
  report.rows = {change(kHostile, 0.5, {}), change("b", 0.25, 1200)};
  const std::string page = html::to_html(report, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "width='1000.00'"));
  CHECK(has(page, "width='500.00'"));
  CHECK(has(page, "+50 %; free"));
  CHECK(has(page, "+25 %; +1,200 USD"));
  CHECK(has(page, "--set loader.workers_per_gpu=16"));
  CHECK_FALSE(has(page, "<b>"));
  report.rows.clear();
  CHECK(has(html::to_html(report, kHead), "No change that was tried makes it faster."));
}

TEST_CASE("a comparison shows first what differs, then what comes of it") {
  SideBySide comparison;
  comparison.differences = {{"loader.workers_per_gpu", {"\"<b>\"", ""}}};
  ComparedRow row;
  row.title = kHostile;
  row.job_samples_per_s = 100;
  comparison.rows = {row, row};
  comparison.rows[1].job_samples_per_s = 50;
  comparison.duels = {{0, 1, 2, 0.95, {}, ""}};
  const std::string page = html::to_html(comparison, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(page.find("What differs") < page.find("What comes of it"));
  CHECK(has(page, "<td>&lt;b&gt;</td><td>-</td>"));
  CHECK(has(page, "A beats B by 100 %, with a probability of 95 %"));
  CHECK_FALSE(has(page, "<b>"));
}

TEST_CASE("what trains nothing has a table of its own figures, and no bar") {
  SideBySide comparison;
  ComparedRow row;
  row.title = kHostile;
  row.figures = {{"save by rank 0", 2e10, "B/s", true, 0}};
  comparison.rows = {row, row};
  const std::string page = html::to_html(comparison, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "<td>20 GB/s</td><td>20 GB/s</td>"));
  CHECK_FALSE(has(page, "samples/s"));
  CHECK(has(page, "B against A: equal in save by rank 0"));
}

TEST_CASE("parts of all that are compared stand in one table, a column of counts for each") {
  SideBySide comparison;
  ComparedRow row;
  row.title = "t";
  row.job_samples_per_s = 100;
  comparison.rows = {row, row, row};
  comparison.differences = {{"ways from nvme2", {"sw0", "sw1", "sw1"}, "nvme2"}};
  BillLine part;
  part.kind = "array";
  part.name = "NVIDIA L4";
  part.price_USD = 2500;
  part.price_basis = "estimate";
  part.price_year = 2026;
  part.price_source = "a shop";
  std::vector<Result> results(3);
  for (std::size_t i = 0; i < 3; ++i) {
    part.count = static_cast<double>(i + 2);
    results[i].bill = {part};
  }
  const std::string page = html::to_html(comparison, kHead, results);
  CHECK(faults_of_page(page) == "");
  const std::string first = page.substr(0, page.find("id='differences'"));
  CHECK(count(first, "NVIDIA L4") == 1);
  CHECK(has(first, "<td>Store</td><td>NVIDIA L4</td><td>estimate, 2026</td>"));
  CHECK(has(first, "<td class='number'>2</td><td class='number'>3</td><td class='number'>4</td>"));
  CHECK_FALSE(has(first, "a shop"));
  CHECK(count(page, "a shop") == 3);  // in each bill, after the first page
  CHECK(has(page, "links of nvme2"));
}

TEST_CASE("what is surer stands on the first page of a recommendation, products by their titles") {
  Recommendation one;
  one.chosen = {choice("3 x a-drive", 1000, 10)};
  one.surer = {{0.95, {choice("5 x a-drive", 1500, 11)}, true}};
  const Result best;
  const std::string page = html::to_html(one, kHead, &best, {{"a-drive", "A Drive 4 TB"}});
  CHECK(faults_of_page(page) == "");
  const std::string first = page.substr(0, page.find("id='answer'"));
  CHECK(has(first, "Choose drives = 3 x A Drive 4 TB"));
  CHECK(has(first, "<td>5 x A Drive 4 TB</td><td>meets all with a chance of 95.0 %</td>"));
  CHECK(has(page, "system.drives=3 x a-drive"));
}

TEST_CASE("a front is drawn where it has two prices, and each choice is in the table") {
  Recommendation one;
  one.aim = kHostile;
  one.chosen = {choice("4", 1000, 10), choice("8", 2000, 15)};
  const std::string page = html::to_html(one, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(count(page, "<circle") == 2);
  CHECK(has(page, "--set system.drives=8"));
  one.chosen.pop_back();
  CHECK(count(html::to_html(one, kHead), "<circle") == 0);
  CHECK(has(html::to_html(one, kHead), "Choose drives = 4."));
}

TEST_CASE("a goal that nothing meets says what is in the way") {
  Recommendation none;
  none.obstacles = {{"price_USD <= 5", true, "price_USD", 18, false, {}, ""}};
  const std::string page = html::to_html(none, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "No choice meets all constraints."));
  CHECK(has(page, "Price ≤ 5 USD: no choice meets it; the closest of all is 18"));
}

TEST_CASE("of a validation each row has its range and what it is with others' constants") {
  ValidationReport report;
  MechanismScore score;
  score.name = "rate";
  score.score = "relative";
  score.cases = 1;
  report.mechanisms = {score};
  ValidationRow row;
  row.mechanism = "rate";
  row.title = kHostile;
  row.role = "predict";
  row.score = "relative";
  row.measured = 100;
  row.predicted = 90;
  row.p10 = 80;
  row.p90 = 110;
  row.left_out = 70;
  row.left_out_error = -30;
  report.rows = {row};
  const std::string page = html::to_html(report, kHead);
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "80 to 110"));
  CHECK(has(page, "-30.0 %"));
  CHECK(count(page, "<circle") == 1);
  CHECK_FALSE(has(page, "<b>"));
}

TEST_CASE("a lever that gives nothing has no bar") {
  Elasticity elasticity;
  const Limiter drives = fact<LimiterCode::drives>(), cores = fact<LimiterCode::cpu_cores>();
  elasticity.levers = {
      {drives, fact<LimiterCode::parts>(std::vector<std::string>{"ssd0"}), 0.05, 0.01},
      {cores, {}, 0.005, 0.01}};
  elasticity.binds = drives;
  elasticity.next = cores;
  elasticity.distance = 1.5;
  const std::string markup = html::levers_picture(elasticity);
  CHECK(count(markup, "<rect") == 1);
  CHECK(has(markup, "width='500.00'"));
  CHECK(has(markup,
            "drives binds. With more than enough of it, cores would hold the job back, at "
            "1.5 times the present rate."));
}
