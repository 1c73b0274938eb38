// SPDX-License-Identifier: Apache-2.0
#include "sim/job/steady.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/numbers/random.h"
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
    state.add({now}, {10 * now, static_cast<double>(step), static_cast<double>(step)});
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
    state.add({now}, {now / 0.078, static_cast<double>(step), static_cast<double>(step)});
  }
  CHECK(state.step_time().mean == approx(0.0823).epsilon(0.001));
  CHECK(state.pace() == Pace::trained);
}

namespace {

/// Drives that read one batch after the other into a stock that has room for so many, and GPUs that
/// take them from there, and beside computing wait for copies which vary.
class FilledStock {
 public:
  FilledStock(double read_s, double train_s, std::size_t room)
      : read_s_(read_s), train_s_(train_s), trained_(room) {}

  /// The next batch is trained. \return when
  double step() {
    double& slot = trained_[steps_ % trained_.size()];  // of the batch that made room for this one
    ++steps_;
    read_ = std::max(read_, slot) + read_s_;
    if (read_ >= now_) ++awaited_;
    const double copies = 1 + 0.004 * std::sin(0.9 * static_cast<double>(steps_));
    now_ = std::max(now_, read_) + train_s_ * copies;
    return slot = now_;
  }
  /// Batches that have been read by now: those to come are, while there is room.
  double read() const {
    const double ahead = std::min((now_ - read_) / read_s_, static_cast<double>(trained_.size()));
    return static_cast<double>(steps_) + std::max(0.0, ahead);
  }
  double awaited() const { return awaited_; }

 private:
  double read_s_;
  double train_s_;
  std::vector<double> trained_;
  std::size_t steps_ = 0;
  double read_ = 0;
  double now_ = 0;
  double awaited_ = 0;
};

}  // namespace

TEST_CASE(
    "while a stock fills beside GPUs that wait for copies, they train as they do once it is full") {
  for (const double read_s : {0.0785, 0.0795, 0.0815, 0.0823, 0.0835}) {
    CAPTURE(read_s);
    FilledStock lasting(read_s, 0.0823, 64);
    double first = 0;
    for (int step = 1; step <= 20000; ++step)
      if (const double now = lasting.step(); step == 10000) first = now;
    const double lasts = (lasting.step() - first) / 10001;

    FilledStock stock(read_s, 0.0823, 1000000);  // does not fill in time
    SteadyState state(4, {0.001}, {0.078});
    for (int step = 1; step <= 200; ++step) {
      const double now = stock.step();
      const double read = stock.read();
      state.add({now}, {read, read, stock.awaited()});
    }
    CHECK(state.step_time().mean == approx(lasts).epsilon(0.001));
    CHECK((state.pace() == Pace::trained) == (read_s < 0.0823));
  }
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

TEST_CASE("one read of more batches than are trained says nothing of how fast reading is") {
  SteadyState state(8, {0.005}, {0.25});
  std::int64_t steps = 0;
  while (!state.steady() && steps < 10000) {
    const double done = static_cast<double>(++steps);
    state.add({0.25 * done}, {1e6, done + 1});
  }
  CHECK(steps == 8 * 11 + 1);
  CHECK(state.step_time().mean == approx(0.25));
  CHECK(state.step_time().half_width < 1e-9);
}

TEST_CASE("the precision is worth two million batches, and a mean that takes more less of it") {
  constexpr double kPrecision = 0.005;
  const auto takes = [&](double all, double batches) {  // so many more to the precision
    return kPrecision * std::sqrt(all / batches);
  };
  for (const double batches : {1e3, 1e5, 1e6}) {
    CHECK(worth_knowing(kPrecision, takes(1.99e6, batches), batches) == kPrecision);
    const double less = worth_knowing(kPrecision, takes(2.01e6, batches), batches);
    CHECK(less == approx(kPrecision * std::max(1.0, batches / 50'000)));
  }
  // Ten times as fine takes a hundred times as many.
  CHECK(worth_knowing(kPrecision / 10, takes(1.99e6, 1e6), 1e6) == kPrecision / 10);
  CHECK(worth_knowing(kPrecision / 10, takes(2.01e6, 1e6), 1e6) ==
        approx(kPrecision / 10).epsilon(1e-12));
  CHECK(worth_knowing(kPrecision / 10, takes(2.01e6, 1e7), 1e7) == approx(kPrecision / 5));
  // Nothing known is no reason to stop.
  CHECK(worth_knowing(kPrecision, kUnknown, 1e3) == kPrecision);
}

TEST_CASE("a mean that only millions of batches would tell is left where it is worth little more") {
  constexpr std::size_t kGpus = 64;
  constexpr int kRuns = 60;
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    SteadyState state(8, {0.005}, {0}, 0, kGpus);
    double now = 0, steps = 0;
    while (!state.steady() && steps < 200'000) {  // exponential: to 0.5 % it takes 13 million
      now -= std::log(1 - random.uniform(0, 1));
      ++steps;
      state.add({now}, {steps, steps, 0});
    }
    CHECK(steps * kGpus < 1.5e6);
    const Confidence known = state.step_time();
    CHECK(known.half_width > 0.005);
    CHECK(known.half_width <= 0.005 * steps * kGpus / 5e4);
    inside += std::abs(known.mean - 1) <= known.half_width;
  }
  CHECK(inside >= 0.85 * kRuns);
}
