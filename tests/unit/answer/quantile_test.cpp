// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/quantile.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("a quantile is one of the values: the least that a share of them does not exceed") {
  std::vector<double> values{5, 1, 4, 2, 3};
  CHECK(quantile(values, 0.5) == 3);
  CHECK(quantile(values, 0.4) == 2);
  CHECK(quantile(values, 0.41) == 3);
  CHECK(quantile(values, 1) == 5);
  CHECK(quantile(values, 0) == 1);
}
