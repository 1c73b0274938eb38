// SPDX-License-Identifier: Apache-2.0
#include "sim/base/numbers/statistics.h"

#include <doctest/doctest.h>

#include <limits>

using namespace gpufeed;

// numpy.quantile([15, 20, 35, 40, 50], [0.05, 0.3, 0.4, 0.5, 0.95])
TEST_CASE("a quantile is what NumPy's is") {
  const std::vector<double> values{50, 15, 40, 20, 35};
  CHECK(quantile(values, 0.05) == doctest::Approx(16));
  CHECK(quantile(values, 0.3) == doctest::Approx(23));
  CHECK(quantile(values, 0.4) == doctest::Approx(29));
  CHECK(quantile(values, 0.5) == 35);
  CHECK(quantile(values, 0.95) == doctest::Approx(48));
}

TEST_CASE("a quantile reaches from the least value to the greatest, whatever their order") {
  CHECK(quantile({3, 1, 2}, 0) == 1);
  CHECK(quantile({3, 1, 2}, 1) == 3);
  CHECK(quantile({7}, 0.9) == 7);
  CHECK(quantile({}, 0.5) == 0);
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(quantile({infinite, 1, 2}, 0.5) == 2);
  CHECK(quantile({infinite, 1, 2}, 0.6) == infinite);
}

TEST_CASE("a percentile of latencies is one of them, as fio has it") {
  CHECK(seen_quantile({2, 1}, 0.5) == 1);
  CHECK(seen_quantile({2, 1}, 0.51) == 2);
  CHECK(seen_quantile({3, 1, 2, 4}, 0) == 1);
  CHECK(seen_quantile({3, 1, 2, 4}, 0.99) == 4);
  CHECK(seen_quantile({}, 0.5) == 0);
}

TEST_CASE("the median of an even number of values lies halfway between the middle two") {
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({3, 1, 2}) == 2);
}

// Tables of the normal distribution and of Student's t, two-sided 95 %.
TEST_CASE("quantiles of the normal distribution and of Student's t are those of the tables") {
  CHECK(normal_quantile(0.5) == doctest::Approx(0).epsilon(1e-12));
  CHECK(normal_quantile(0.9) == doctest::Approx(1.2816).epsilon(1e-4));
  CHECK(normal_quantile(0.975) == doctest::Approx(1.95996).epsilon(1e-5));
  CHECK(t_quantile(3) == doctest::Approx(3.182).epsilon(0.01));
  CHECK(t_quantile(7) == doctest::Approx(2.365).epsilon(1e-3));
  CHECK(t_quantile(1e9) == doctest::Approx(1.95996).epsilon(1e-5));
}
