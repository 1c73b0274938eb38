// SPDX-License-Identifier: Apache-2.0
#include "sim/base/random.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace gpufeed;

TEST_CASE("a sum whose deviation is next to nothing is its mean, not nonsense") {
  Random random(1);
  for (const double deviation : {1e-302, 1e-160, 1e-20, 1e-9, 1e-7})
    for (int i = 0; i < 1000; ++i) {
      const double sum = random.sum_of(4, 2.5, deviation);
      REQUIRE(std::abs(sum - 10) <= 8 * 2 * deviation + 1e-14);
    }
}

TEST_CASE("where the distribution changes its form, its spread does not") {
  for (const double deviation : {0.99e-6, 1.01e-6}) {  // shapes of either side of 1e12
    Random random(7);
    constexpr int kDraws = 20000;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) squares += std::pow(random.sum_of(1, 1, deviation) - 1, 2);
    CHECK(std::sqrt(squares / kDraws) == doctest::Approx(deviation).epsilon(0.02));
  }
}
