// SPDX-License-Identifier: Apache-2.0
#include "sim/job/epochs/held.h"

#include <doctest/doctest.h>

#include "sim/base/fault.h"
#include "tests/support/approx.h"

using namespace gpufeed;

namespace {

constexpr Ratio kPrecision{0.005};
constexpr Rate kBound{100};

/// A hundred steps of ten samples that are simulated so much faster than the bound.
struct Simulated {
  Plan plan;
  EpochsAccount account;
  Record record;

  Simulated(double faster, double known_to) {
    plan.batch = 10;
    plan.gpus.resize(1);
    account.steps = 100;
    const double all = 10 / (1 + faster);
    account.trained = {all, all, all};
    account.spent.resize(1);
    account.spent[0][0] = all;
    record.known_to = known_to;
    record.step_time = {all / 100, known_to};
  }

  Unheld hold() { return hold_to(account, record, plan, kBound, kPrecision); }
};

}  // namespace

TEST_CASE("what is faster than its bound by chance is told at its bound") {
  for (const double known_to : {0.01, 0.1, kUnknown}) {
    Simulated job(0.02, known_to);
    const Unheld unheld = job.hold();
    CHECK(unheld.all.over == approx(0.02));
    CHECK(unheld.steady.over == approx(0.02));
    CHECK(unheld.all.known_to == known_to);
    CHECK(job.account.trained.all_s == approx(10));
    CHECK(job.account.trained.later_s == approx(10));
    CHECK(job.account.spent[0][0] == approx(10));
    CHECK(job.record.step_time.mean == approx(0.1));
  }
}

TEST_CASE("what is slower stays as it is") {
  Simulated job(-0.1, 0.001);
  CHECK(job.hold().all.over == approx(-0.1));
  CHECK(job.account.trained.all_s == approx(10 / 0.9));
  CHECK(job.record.step_time.mean == approx(0.1 / 0.9));
}

TEST_CASE("nothing is known much better than a run's precision") {
  Simulated job(0.002, 0);
  CHECK(job.hold().all.known_to == approx(0.001));
}

TEST_CASE("what is faster than its bound by more than chance is a fault, and no answer") {
  const FaultsThrow throws;
  CHECK_THROWS_AS(Simulated(0.02, 0).hold(), InternalFault);
  CHECK_THROWS_AS(Simulated(0.02, 0.005).hold(), InternalFault);
  Simulated steady(0.02, 0.005);
  steady.record.known_to = 1;
  CHECK_THROWS_WITH_AS(steady.hold(), doctest::Contains("no steady pace is faster"), InternalFault);
}
