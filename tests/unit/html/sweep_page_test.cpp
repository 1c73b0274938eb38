// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sweep_page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "tests/support/markup_check.h"

using namespace gpufeed;
using html::SweptPoint;

namespace {

SweptPoint point(std::vector<std::string> values, double rate, std::optional<double> price) {
  SweptPoint out;
  out.values = std::move(values);
  out.samples_per_s = rate;
  out.gpus_busy = 0.5;
  out.price_USD = price;
  out.bottleneck = "drives";
  return out;
}

bool has(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the front has the points that no other beats in price and throughput") {
  const std::vector<SweptPoint> points{point({}, 10, 100), point({}, 20, 300), point({}, 15, 300),
                                       point({}, 15, 200), point({}, 99, {}),  point({}, 5, 50),
                                       point({}, 5, 60)};
  CHECK(html::cheapest_for_rate(points) == std::vector<std::size_t>{5, 0, 3, 1});
}

TEST_CASE("of random points the front is what comparing all with all leaves") {
  Random random(7);
  std::vector<SweptPoint> points;
  for (int i = 0; i < 200; ++i)
    points.push_back(
        point({}, std::floor(random.uniform(0, 30)), std::floor(random.uniform(0, 30))));
  const auto front = html::cheapest_for_rate(points);
  for (const SweptPoint& one : points) {
    const auto beaten = [&](const SweptPoint& by) {
      return *by.price_USD <= *one.price_USD && by.samples_per_s >= one.samples_per_s &&
             (*by.price_USD < *one.price_USD || by.samples_per_s > one.samples_per_s);
    };
    const auto same = [&](std::size_t i) {
      return points[i].price_USD == one.price_USD && points[i].samples_per_s == one.samples_per_s;
    };
    CHECK(std::ranges::any_of(points, beaten) != std::ranges::any_of(front, same));
  }
}

TEST_CASE(
    "a line for each value of the second axis, over the first; what is no number by its name") {
  html::SweptPoints swept{{"workers", "drive"}, {}, 1, {}};
  for (const char* workers : {"4", "8"})
    for (const char* drive : {"a", "<b>"}) swept.points.push_back(point({workers, drive}, 100, 10));
  const std::string page = html::to_html(swept, {"T", "c", "1"});
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "4 points over workers, drive; 1 more have no result"));
  CHECK(has(page, "<polyline class='series1 line'"));
  CHECK_FALSE(has(page, "<polyline class='series2 line'"));
  CHECK(has(page, "drive &lt;b&gt;"));
  CHECK_FALSE(has(page, "Price against the job"));  // one price tells nothing
  swept.points[0].price_USD = 20;
  swept.axes = {"drive", "workers"};
  for (auto& one : swept.points) std::swap(one.values[0], one.values[1]);
  const std::string other = html::to_html(swept, {"T", "c", "1"});
  CHECK(has(other, "Price against the job"));
  CHECK(has(other, ">&lt;b&gt;</text>"));
  CHECK(faults_of_page(other) == "");
}

TEST_CASE("a page begins with the best point, in words") {
  html::SweptPoints swept{{"loader.workers_per_gpu"}, {}, 0, {"price_USD <= 11000"}};
  swept.points = {point({"4"}, 100, 9000), point({"8"}, 90, 8000), point({"16"}, 200, 12000)};
  const auto first = [&] {
    const std::string page = html::to_html(swept, {"T", "c", "1"});
    return page.substr(0, page.find("id='rate'"));
  };
  CHECK(has(first(), "No point meets what is asked."));
  swept.points[0].meets = swept.points[1].meets = true;
  CHECK(has(first(), "The cheapest that meets what is asked: workers per GPU 8, 90 samples/s"));
  CHECK_FALSE(has(first(), "workers_per_gpu"));
  CHECK_FALSE(has(first(), "price_USD"));
  swept.constraints.clear();
  CHECK(has(first(), "The fastest: workers per GPU 16, 200 samples/s"));
}

TEST_CASE("a page marks what meets the constraints, and prices and powers that lack parts") {
  html::SweptPoints swept{{"drive"}, {}, 0, {"price_USD <= 11000", "step_s < 1"}};
  swept.points = {point({"a"}, 100, 9000), point({"b"}, 200, 12000)};
  swept.points[0].meets = true;
  swept.points[0].power_W = 500;
  swept.points[1].power_W = 700;
  swept.points[1].price_lacks_parts = true;
  swept.points[1].power_lacks_parts = true;
  const std::string page = html::to_html(swept, {"T", "c", "1"});
  CHECK(faults_of_page(page) == "");
  CHECK(has(page, "1 of them meet Price ≤ 11,000 USD and step_s &lt; 1"));
  CHECK(has(page, "<td>a</td><td>yes</td><td></td><td>drives</td>"));
  CHECK(has(page, "<td>b</td><td>no</td><td></td><td>drives</td>"));
  CHECK(has(page, "9,000</td>"));
  CHECK(has(page, "at least 12,000</td>"));
  CHECK(has(page, "at least 700</td>"));
  CHECK_FALSE(has(page, "at least 500"));
  CHECK(has(page, "Prices are at least these"));
  CHECK(has(page, "meet the constraints"));
  swept.constraints.clear();
  for (auto& one : swept.points) one.meets = one.price_lacks_parts = false;
  const std::string plain = html::to_html(swept, {"T", "c", "1"});
  CHECK_FALSE(has(plain, "meet"));
  CHECK_FALSE(has(plain, "Prices are at least"));
}

TEST_CASE("a sweep without a good point has a page") {
  CHECK(faults_of_page(html::to_html({{"a"}, {}, 3, {}}, {"T", "c", "1"})) == "");
}
