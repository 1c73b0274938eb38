// SPDX-License-Identifier: Apache-2.0
#include "sim/base/numbers/random.h"

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

TEST_CASE("what is drawn by counter depends on its counters alone") {
  Draw first(1, 2, 3, 4), again(1, 2, 3, 4);
  for (int i = 0; i < 5; ++i) CHECK(first.sum_of(1, 1, 0.5) == again.sum_of(1, 1, 0.5));
  const double same = Draw(1, 2, 3, 4).sum_of(1, 1, 0.5);
  CHECK(Draw(2, 2, 3, 4).sum_of(1, 1, 0.5) != same);
  CHECK(Draw(1, 3, 3, 4).sum_of(1, 1, 0.5) != same);
  CHECK(Draw(1, 2, 4, 4).sum_of(1, 1, 0.5) != same);
  CHECK(Draw(1, 2, 3, 5).sum_of(1, 1, 0.5) != same);
}

TEST_CASE("neighboring counters draw independent numbers") {
  // Of 20,000 numbers of mean 1 and deviation 0.5, each pair along one counter: the correlation of
  // independent ones has the deviation 1/sqrt(20,000) = 0.007.
  constexpr int kDraws = 20000;
  for (int counter = 0; counter < 4; ++counter) {
    const auto drawn = [&](std::uint64_t i) {
      return Draw(counter == 0 ? i : 7, counter == 1 ? i : 7, counter == 2 ? i : 7,
                  counter == 3 ? i : 7)
                 .sum_of(1, 1, 0.5) -
             1;
    };
    double sum = 0, squares = 0, neighbors = 0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      sum += drawn(i);
      squares += drawn(i) * drawn(i);
      neighbors += drawn(i) * drawn(i + 1);
    }
    CAPTURE(counter);
    CHECK(std::abs(sum / kDraws) < 4 * 0.5 / std::sqrt(kDraws));
    CHECK(std::sqrt(squares / kDraws) == doctest::Approx(0.5).epsilon(0.03));
    CHECK(std::abs(neighbors / squares) < 4 / std::sqrt(kDraws));
  }
}
