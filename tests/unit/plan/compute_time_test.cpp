// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/compute_time.h"

#include <doctest/doctest.h>

#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

ComputeRow row(std::int64_t batch, double rate, std::vector<Includes> includes = {}) {
  ComputeRow row;
  row.gpu.name = "p100";
  row.batch = batch;
  row.rate = {rate};
  row.includes = std::move(includes);
  row.basis = Basis::measured;
  return row;
}

}  // namespace

TEST_CASE("at a measured batch the step takes batch over rate") {
  const auto time = compute_time({row(32, 210), row(64, 238)}, 64);
  CHECK(time.step.value == approx(64 / 238.0));
  CHECK(!time.caveat);
  CHECK(time.basis == Basis::measured);
}

TEST_CASE("between two measured batches the step time lies on the line between theirs") {
  const auto time = compute_time({row(32, 210), row(64, 238)}, 48);
  CHECK(time.step.value == approx((32 / 210.0 + 64 / 238.0) / 2));
  CHECK(!time.caveat);
}

TEST_CASE("beyond the measured batches the line goes on, and says so") {
  const auto time = compute_time({row(32, 210), row(64, 238)}, 96);
  CHECK(time.step.value == approx(64 / 238.0 + (64 / 238.0 - 32 / 210.0)));
  CHECK(time.caveat == fact<WarningCode::rate_of_other_batch>("p100", 96, 64));
}

TEST_CASE("one measured batch alone scales in proportion, and says so") {
  const auto time = compute_time({row(64, 238)}, 128);
  CHECK(time.step.value == approx(128 / 238.0));
  CHECK(time.caveat == fact<WarningCode::rate_of_other_batch>("p100", 128, 64));
}

TEST_CASE("one measured batch with a line learned elsewhere follows the line, and says so") {
  const StepLine line{"p100", {0.02}, {0.004}, "from a test", {}};
  const auto time = compute_time({row(64, 238)}, 128, &line);
  CHECK(time.step.value == approx(0.02 + 128 * 0.004));
  CHECK(time.caveat ==
        fact<WarningCode::rate_of_other_batch_by_line>("p100", 128, 64, "from a test"));
  CHECK(compute_time({row(64, 238)}, 64, &line).step.value == approx(64 / 238.0));
}

TEST_CASE("a line that points below zero is not followed") {
  // From 64 to 128 the step grows by nearly its whole length: the line crosses zero near 60.
  const auto time = compute_time({row(64, 1000), row(128, 100)}, 32);
  CHECK(time.step.value == approx(32 / 1000.0));
}

TEST_CASE("a rate that includes the exchange says so") {
  CHECK(compute_time({row(64, 238, {Includes::exchange})}, 64).includes_exchange);
  CHECK_FALSE(compute_time({row(64, 238, {Includes::barrier})}, 64).includes_exchange);
}
