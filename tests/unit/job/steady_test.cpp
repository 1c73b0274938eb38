// SPDX-License-Identifier: Apache-2.0
#include "sim/job/steady.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/approx.h"

using namespace gpufeed;

TEST_CASE("a confidence interval is that of Student's t") {
  // Eight values: t(7) = 2.3646, from tables.
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
  const Confidence known = confidence_of(values);
  CHECK(known.mean == approx(4.5));
  const double error = std::sqrt(6.0 / 8);  // variance of 1..8 is 6
  CHECK(known.half_width == approx(2.3646 * error / 4.5).epsilon(0.01));
}

TEST_CASE("steps of one length are steady after the fewest segments") {
  SteadyState state(8, {0.005}, {0.25});
  std::int64_t steps = 0;
  while (!state.steady()) {
    const double done = static_cast<double>(++steps);
    state.add({0.25 * done}, {done + 2, done + 1});
  }
  CHECK(steps == 8 * 11 + 1);
  CHECK(state.step_time().mean == approx(0.25));
}

TEST_CASE("a few steps have a mean, but do not tell how well it is known") {
  SteadyState state(8, {0.005}, {0.25});
  for (int step = 1; step <= 20; ++step) state.add({0.25 * step}, {step + 2.0, step + 1.0});
  CHECK(state.step_time().mean == approx(0.25));
  CHECK(state.step_time().half_width == kUnknown);
}

TEST_CASE("steps that grow longer and longer are never steady") {
  SteadyState state(8, {0.005}, {0.001});
  double now = 0;
  for (int step = 1; step < 1000; ++step) {
    now += 0.001 * step;
    state.add({now}, {step + 2.0, step + 1.0});
  }
  CHECK(!state.steady());
}

TEST_CASE("where bursts hide the step time, the pace of reading tells it") {
  // Batches are read at exactly 10 a second and trained in bursts of irregular length.
  SteadyState state(4, {0.005}, {0.01});
  double now = 0;
  for (int step = 1; step <= 200; ++step) {
    now = std::max(now + 0.01, 0.1 * step + 0.5 + 0.3 * std::sin(step * 0.7) * std::sin(step));
    state.add({now}, {10 * now, static_cast<double>(step)});
  }
  CHECK(state.step_time().mean == approx(0.1).epsilon(1e-6));
  CHECK(state.step_time().half_width < 1e-6);
}

TEST_CASE("while the stock before the GPUs fills, the pace of reading does not count") {
  SteadyState state(4, {0.001}, {0.05});
  for (int step = 1; step <= 200; ++step)  // read twice as fast as trained
    state.add({0.1 * step}, {2.0 * step, 2.0 * step});
  CHECK(state.step_time().mean == approx(0.1).epsilon(1e-9));
}

TEST_CASE("a stock that fills at its own pace lets no GPU train faster than it computes") {
  // Alone, a step takes 81 ms; copies make it 82.3 and vary; reading goes on at 78 ms a batch.
  SteadyState state(4, {0.001}, {0.081});
  double now = 0;
  for (int step = 1; step <= 200; ++step) {
    now += 0.0823 + 1e-4 * std::sin(0.9 * step);
    state.add({now}, {now / 0.078, static_cast<double>(step)});
  }
  CHECK(state.step_time().mean == approx(0.0823).epsilon(0.001));
  CHECK(state.pace() == Pace::trained);
}

TEST_CASE("while the stock before the GPUs drains, the slower pace of reading is what lasts") {
  SteadyState state(4, {0.001}, {0.1});
  for (int step = 1; step <= 200; ++step)  // nobody waits, and 3 % less is read than trained
    state.add({0.1 * step}, {40 + 0.97 * step, 40 + 0.97 * step});
  CHECK(!state.steady());
  CHECK(state.step_time().mean == approx(0.1 / 0.97).epsilon(1e-6));
  CHECK(state.step_time().half_width == approx(0.03).epsilon(1e-6));
}

TEST_CASE("bursts of reading are no stock that drains") {
  SteadyState state(4, {0.001}, {0.1});
  for (int step = 1; step <= 200; ++step)  // 30 batches read at once, long ago
    state.add({0.1 * step}, {step < 90 ? 190.0 : 205.0, step + 1.0});
  CHECK(state.step_time().mean == approx(0.1).epsilon(1e-9));
}
