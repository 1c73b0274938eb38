// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/expected_slowest.h"

#include <doctest/doctest.h>

#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

Plan plan_of(int gpus, double jitter) {
  Plan plan;
  plan.step_jitter = {jitter};
  plan.gpus.resize(static_cast<std::size_t>(gpus));
  for (auto& gpu : plan.gpus) gpu.compute = {2.0};
  return plan;
}

}  // namespace

TEST_CASE("one GPU is expected to take its mean") {
  CHECK(expected_slowest(plan_of(1, 0.1)).value == approx(2).epsilon(1e-6));
}

TEST_CASE("the greatest of n times of small deviation is that of n normals") {
  // Means of the greatest of n standard normals: 1 / sqrt(pi), and from tables.
  CHECK(expected_slowest(plan_of(2, 0.01)).value ==
        approx(2 * (1 + 0.01 * std::numbers::inv_sqrtpi)).epsilon(1e-5));
  CHECK(expected_slowest(plan_of(8, 0.01)).value == approx(2 * 1.014236).epsilon(1e-4));
  CHECK(expected_slowest(plan_of(100, 0.01)).value == approx(2 * 1.025076).epsilon(2e-4));
}

TEST_CASE(
    "a GPU that is slower by many deviations is the slowest; those for which one stands count") {
  Plan plan = plan_of(8, 0.01);
  plan.gpus[3].compute = {3.0};
  CHECK(expected_slowest(plan).value == approx(3).epsilon(1e-6));
  Plan folded = plan_of(1, 0.01);
  folded.gpus[0].stands_for = 8;
  CHECK(expected_slowest(folded).value == approx(2 * 1.014236).epsilon(1e-4));
}

TEST_CASE("the slowest is that of the gamma distribution's own function") {
  for (const double deviation : {0.02, 0.1, 0.3})
    for (const int gpus : {1, 4, 64}) {
      CAPTURE(deviation);
      CAPTURE(gpus);
      const double shape = 1 / (deviation * deviation);
      const boost::math::gamma_distribution<> time(shape, 2 / shape);
      double expected = 0;
      for (double t = 0.0005; t < 8; t += 0.001)
        expected += 0.001 * (1 - std::pow(boost::math::cdf(time, t), gpus));
      CHECK(expected_slowest(plan_of(gpus, deviation)).value == approx(expected).epsilon(1e-3));
    }
}

TEST_CASE("times that do not vary have the slowest mean") {
  CHECK(expected_slowest(plan_of(8, 0)).value == 2);
}

TEST_CASE("deviations of next to nothing are as good as others") {
  for (const double deviation : {2e-5, 0.5e-5, 1e-6})
    CHECK((expected_slowest(plan_of(8, deviation)).value / 2 - 1) / deviation ==
          doctest::Approx(1.4236).epsilon(1e-3));
  CHECK(expected_slowest(plan_of(8, 1e-302)).value == 2);
}

TEST_CASE("the slowest is the same whatever was asked before") {
  const Plan calm = plan_of(8, 0.01), wild = plan_of(8, 0.1), more = plan_of(64, 0.01);
  Plan mixed = calm;
  mixed.gpus[3].compute = {2.1};
  const double of_calm = expected_slowest(calm).value;
  for (const Plan& other : {wild, more, mixed}) {
    CHECK(expected_slowest(other).value > of_calm);
    CHECK(expected_slowest(calm).value == of_calm);
  }
}
