// SPDX-License-Identifier: Apache-2.0
// The law of prediction intervals, by hand.
#include "sim/range/spread.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

using namespace gpufeed;

namespace {

constexpr Mechanism kRate = Mechanism::rate_on_one_node;

Discrepancy learned() {
  Discrepancy out;
  out.deviation = 0.1;
  out.parameters = 0.5;
  out.lower = 1.8;
  out.upper = 1.2;
  out.shared = 0.4;
  out.steps = {{Step::batch, 1.5}, {Step::size, 2}, {Step::store, 1}};
  out.seen = {{{}, 7}, {{Step::batch, Step::batch, Step::size}, 1}};
  out.sources = 7;
  return out;
}

Spread spread(const Steps& steps, double values, const Discrepancy& entry = learned()) {
  return *spread_of({{kRate, std::make_shared<Discrepancy>(entry)}}, kRate, steps, values);
}

}  // namespace

TEST_CASE("a job like those that were measured is as far off as its mechanism and its values are") {
  const Spread found = spread({}, 0.24);
  const double sigma = std::hypot(0.5 * 0.24, 0.1);
  CHECK(found.down == doctest::Approx(1.8 * sigma));
  CHECK(found.up == doctest::Approx(1.2 * sigma));
  CHECK(found.of_model == doctest::Approx(0.1));
  CHECK(found.extrapolation == doctest::Approx(1));
  CHECK(found.sources == 7);
}

TEST_CASE("steps multiply, one that counts twice twice, and f doubles what nobody has shown") {
  CHECK(spread({Step::batch}, 0).of_model == doctest::Approx(0.15));
  CHECK(spread({Step::batch, Step::batch, Step::size}, 0).extrapolation ==
        doctest::Approx(1.5 * 1.5 * 2));
  const Spread strange = spread({Step::store}, 0.24);
  CHECK(strange.extrapolation == doctest::Approx(2));
  CHECK(strange.down == doctest::Approx(2 * spread({}, 0.24).down));
}

TEST_CASE("no further step narrows") {
  const std::vector<Steps> ways{{},
                                {Step::batch},
                                {Step::batch, Step::batch},
                                {Step::batch, Step::batch, Step::size},
                                {Step::batch, Step::batch, Step::size, Step::size},
                                {Step::batch, Step::batch, Step::size, Step::size, Step::store}};
  for (std::size_t i = 1; i < ways.size(); ++i) {
    CAPTURE(i);
    CHECK(spread(ways[i], 0.05).down >= spread(ways[i - 1], 0.05).down);
    CHECK(spread(ways[i], 0.05).up >= spread(ways[i - 1], 0.05).up);
  }
}

TEST_CASE("no end is further off than a factor of five") {
  Discrepancy wide = learned();
  wide.deviation = 3;
  CHECK(std::exp(spread({}, 0, wide).down) == doctest::Approx(5));
  CHECK(std::exp(spread({}, 0, wide).up) == doctest::Approx(5));
}

TEST_CASE("of a mechanism that the catalog does not know nothing is said") {
  CHECK_FALSE(spread_of({}, kRate, {}, 0.1));
}

TEST_CASE("what is far below its ceiling keeps its end, and none passes a ceiling that is exact") {
  const Ceiling far{.at = 10, .down = 0.2, .up = 0.2};
  CHECK(end_below(far, 0.5) == doctest::Approx(0.5).epsilon(1e-3));
  CHECK(end_below({}, 0.5) == 0.5);
  CHECK(end_below({.at = 0.3, .down = 0, .up = 0}, 0.5) == doctest::Approx(0.3));
  CHECK(end_below({.at = 0.7, .down = 0, .up = 0}, 0.5) == doctest::Approx(0.5));
  CHECK(end_below({.at = 0, .down = 0, .up = 0}, 0.5) == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("of two limits as near, both are above the end with a chance of a tenth") {
  // Each is above it with the root of a tenth: t of four degrees passes 0.5169 so often.
  const double end = end_below({.at = 0, .down = 0.3, .up = 0.3}, 0.3);
  CHECK(end == doctest::Approx(0.3 * 0.5169 / 1.5332).epsilon(1e-3));
}

TEST_CASE("no end passes its ceiling's own, and a lower ceiling gives no higher end") {
  double before = 0;
  for (const double at : {0.0, 0.1, 0.4, 1.0}) {
    CAPTURE(at);
    const double end = end_below({.at = at, .down = 0.2, .up = 0.25}, 1.6);
    CHECK(end >= before);
    CHECK(end < at + 0.25);
    before = end;
  }
}
