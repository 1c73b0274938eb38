// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/rates.h"

#include <doctest/doctest.h>

#include "tests/support/approx.h"

using namespace gpufeed;
using namespace gpufeed::literals;

namespace {

doctest::Approx exactly(double value) { return approx(value).epsilon(1e-9); }

constexpr LimitIndex kFirst(0), kSecond(1), kThird(2);

Limits limits(std::initializer_list<double> capacities) {
  Limits out;
  for (const double capacity : capacities) out.add({Label("limit"), "bus", {capacity}, {}});
  return out;
}

/// As both engines say.
SteadyRates rates_of(const Limits& limits, const std::vector<Stream>& streams) {
  SteadyRates rates = steady_rates(limits, streams, EngineKind::fluid);
  const SteadyRates others = steady_rates(limits, streams, EngineKind::simgrid);
  for (std::size_t i = 0; i < streams.size(); ++i)
    CHECK(rates.of_one.at(i).value == approx(others.of_one.at(i).value).epsilon(1e-6));
  CHECK(rates.limited_by == others.limited_by);
  return rates;
}

}  // namespace

TEST_CASE("a stream takes what its narrowest limit gives for its share of it") {
  const auto rates =
      rates_of(limits({10, 30, 1e9}), {{.takes = {{kFirst, 0.25}, {kSecond, 0.5}, {kThird, 3}}}});
  CHECK(rates.of_one.at(0).value == exactly(40));
  CHECK(rates.limited_by.at(0) == kFirst);
  CHECK(rates.load[kSecond] == exactly(40 * 0.5 / 30));
}

TEST_CASE("streams share fairly what is left beside those that others hold back") {
  const auto rates =
      rates_of(limits({90, 20}), {{.takes = {{kFirst, 1}, {kSecond, 1}}},
                                  {.takes = {{kFirst, 1}}},
                                  {.takes = {{kFirst, 1}}, .count = 2, .cap = Bandwidth{10}}});
  CHECK(rates.of_one.at(0).value == exactly(20));
  CHECK(rates.of_one.at(1).value == exactly(50));
  CHECK(rates.of_one.at(2).value == exactly(10));
  CHECK(rates.limited_by == std::vector<std::optional<LimitIndex>>{kSecond, kFirst, {}});
}

TEST_CASE("shares of one limit need not be whole") {
  // x / 3 + y = 60 with x = y
  const auto rates =
      rates_of(limits({60}), {{.takes = {{kFirst, 1.0 / 3}}}, {.takes = {{kFirst, 1}}}});
  CHECK(rates.of_one.at(0).value == exactly(45));
  CHECK(rates.of_one.at(1).value == exactly(45));
}

TEST_CASE("slow and fast streams are measured alike") {
  const auto rates =
      rates_of(limits({1e3, 1e15}), {{.takes = {{kFirst, 1}}}, {.takes = {{kSecond, 1}}}});
  CHECK(rates.of_one.at(0).value == approx(1e3).epsilon(1e-6));
  CHECK(rates.of_one.at(1).value == exactly(1e15));
}

TEST_CASE("a limit that is taken twice counts twice") {
  Stream stream;
  take_more(stream, kFirst, 1);
  take_more(stream, kFirst, 2);
  take_more(stream, kSecond, 0);
  REQUIRE(stream.takes.size() == 1);
  CHECK(solo_rate(limits({30, 1}), stream).value == exactly(10));
}
