// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_points.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/load/study/sweep.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

SweepPoints points_of(const std::string& text) {
  return make_points(parse_sweep("scenario = 'a.toml'\n" + text, "s.toml", own_catalog()));
}

std::string listed(const SweepPoints& points) {
  std::string out;
  for (std::int64_t p = 0; p < points.count(); ++p) {
    for (std::size_t axis = 0; axis < points.values.size(); ++axis)
      out += (axis == 0 ? (p == 0 ? "" : " ") : "-") + points.value(p, axis).text;
  }
  return out;
}

double number(const Literal& literal) { return std::stod(literal.text); }

constexpr const char* kTwoLists =
    "axis = [{ path = 'a', values = [1, 2, 3] }, { path = 'b', values = ['x', 'y'] }]\n";

}  // namespace

TEST_CASE("a full sweep has every combination, the last axis fastest") {
  CHECK(listed(points_of(kTwoLists)) == "1-x 1-y 2-x 2-y 3-x 3-y");
}

TEST_CASE("filters leave out the points that do not meet them all") {
  CHECK(listed(points_of(std::string("filter = ['a*2 >= 4', \"b = 'x'\"]\n") + kTwoLists)) ==
        "2-x 3-x");
  CHECK(listed(points_of("filter = ['a <= 2 GB', 'a * 2 > 1.5 GB']\n"
                         "axis = [{ path = 'a', values = ['500 MB', '1 GB', '3 GB'] }]\n")) ==
        "1 GB");
  CHECK(refusal_of([] { points_of(std::string("filter = ['a > 3']\n") + kTwoLists); }) ==
        "s.toml:1:1: error: the filters leave no point\n");
  CHECK(refusal_of([] { points_of(std::string("filter = ['a > b']\n") + kTwoLists); }) ==
        "s.toml:2:11: error: \"a > b\": a number without a unit cannot be compared with text\n");
  CHECK(refusal_of([] { points_of(std::string("filter = [\"b > 'x'\"]\n") + kTwoLists); }) ==
        "s.toml:2:11: error: \"b > 'x'\": texts have no order; use = or !=\n");
}

TEST_CASE("a random sample has as many points as asked for, each once, and depends on its seed") {
  const std::string axes =
      "axis = [{ path = 'a', range = { from = 1, to = 20, step = 1 } },\n"
      "        { path = 'b', range = { from = 1, to = 20, step = 1 } }]\n"
      "filter = ['a <= b']\n";
  const auto drawn = [&](int count, int seed) {
    return points_of(axes + "sample = { kind = 'random', count = " + std::to_string(count) +
                     ", seed = " + std::to_string(seed) + " }\n");
  };
  const auto all = drawn(210, 1);  // as many as there are: 20 * 21 / 2
  std::set<std::pair<std::string, std::string>> seen;
  for (std::int64_t p = 0; p < all.count(); ++p) {
    seen.insert({all.value(p, 0).text, all.value(p, 1).text});
    CHECK(number(all.value(p, 0)) <= number(all.value(p, 1)));
  }
  CHECK(seen.size() == 210);
  CHECK(listed(drawn(50, 7)) == listed(drawn(50, 7)));
  CHECK(listed(drawn(50, 7)) != listed(drawn(50, 8)));
  CHECK(refusal_of([&] { drawn(211, 1); }) ==
        "s.toml:5:10: error: sample: axes and filters leave too few points: 210 were found, 211 "
        "are wanted\n");
}

TEST_CASE("a Latin hypercube has one draw in each stratum of every axis") {
  constexpr int kCount = 40;
  const auto points = points_of(
      "sample = { kind = 'latin-hypercube', count = 40, seed = 3 }\n"
      "axis = [{ path = 'a', range = { from = '10 GB', to = '50 GB' } },\n"
      "        { path = 'b', range = { from = '1 s', to = '16 s', spacing = 'geometric' } },\n"
      "        { path = 'c', values = [1, 2, 4, 8] },\n"
      "        { path = 'd', range = { from = 1, to = 40 } }]\n");
  REQUIRE(points.count() == kCount);
  std::set<int> a;
  std::set<int> b;
  std::map<std::string, int> c;
  std::set<std::string> d;
  for (std::int64_t p = 0; p < kCount; ++p) {
    a.insert(static_cast<int>((number(points.value(p, 0)) - 10) / 40 * kCount));
    b.insert(static_cast<int>(std::log2(number(points.value(p, 1))) / 4 * kCount));
    ++c[points.value(p, 2).text];
    d.insert(points.value(p, 3).text);
  }
  CHECK(a.size() == kCount);
  CHECK(b.size() == kCount);
  CHECK(c == std::map<std::string, int>{{"1", 10}, {"2", 10}, {"4", 10}, {"8", 10}});
  CHECK(d.size() == kCount);  // forty whole numbers in forty strata
}

TEST_CASE("more points than fit into memory are refused before they are drawn") {
  const auto refused = [](const std::string& text) { return refusal_of([&] { points_of(text); }); };
  CHECK(
      refused("axis = [{ path = 'a', range = { from = '1 s', to = '2 s' } }]\n"
              "sample = { kind = 'random', count = 10_000_000 }\n") ==
      "s.toml:3:10: error: sample: 10000000 points of 1 axes, 1 of them open ranges, are too many "
      "to draw; at most 1000000 are\n");
  CHECK(
      refused("axis = [{ path = 'a', values = [1, 2] }, { path = 'b', values = [1, 2] }, "
              "{ path = 'c', values = [1, 2] }]\n"
              "sample = { kind = 'latin-hypercube', count = 10_000_000 }\n") ==
      "s.toml:3:10: error: sample: 10000000 points of 3 axes, 0 of them open ranges, are too many "
      "to draw; at most 6666666 are\n");
  std::string many = "axis = [{ path = 'a', values = [0";
  for (int i = 1; i <= 10000; ++i) many += fmt::format(", {}", i);
  CHECK(refused(many + "] }]\n") ==
        "s.toml:2:9: error: axis a: a list of 10001 values; at most 10000 are tried one by one, so "
        "take a range\n");
  std::string axes;
  for (int i = 0; i <= 100; ++i) axes += fmt::format("[[axis]]\npath = 'a{}'\nvalues = [1]\n", i);
  CHECK(refused(axes) == "s.toml:1:1: error: 101 axes are too many (at most 100)\n");
}

TEST_CASE("a random sample of almost all combinations has each once") {
  const SweepPoints points = points_of(
      "axis = [{ path = 'a', range = { from = 1, to = 100, step = 1 } }, "
      "{ path = 'b', range = { from = 1, to = 100, step = 1 } }]\n"
      "sample = { kind = 'random', count = 9_000 }\n");
  std::set<std::string> seen;
  for (std::int64_t p = 0; p < points.count(); ++p)
    seen.insert(points.value(p, 0).text + "-" + points.value(p, 1).text);
  CHECK(seen.size() == 9000);
}
