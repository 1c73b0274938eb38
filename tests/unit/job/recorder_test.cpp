// SPDX-License-Identifier: Apache-2.0
#include "sim/job/recorder.h"

#include <doctest/doctest.h>

using namespace gpufeed;

namespace {

/// Steps of one span for each of two GPUs, up to `steps`, in an epoch of so many.
RecordedSteps run(std::int64_t steps, std::int64_t epoch, std::int64_t known_after,
                  std::int64_t saved_after) {
  Recorder recorder(2, epoch);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto date = static_cast<double>(step);
    for (const std::size_t g : {0U, 1U}) recorder.add(g, {step, Activity::compute, date, date + 1});
    if (step == saved_after) recorder.save_after(step);
    recorder.end_step(step + 1, step + 1 == known_after);
  }
  return recorder.end();
}

/// "from-to" of both GPUs.
std::string range(const Spans& spans) {
  if (spans.empty() || spans[0].empty()) return "none";
  CHECK(spans.size() == 2);
  CHECK(spans[1].size() == spans[0].size());
  CHECK(std::ssize(spans[0]) == spans[0].back().step - spans[0].front().step + 1);
  return std::to_string(spans[0].front().step) + "-" + std::to_string(spans[0].back().step);
}

constexpr std::int64_t kNever = -1;

}  // namespace

TEST_CASE("the first sixteen steps, and the last sixteen before the pace is known") {
  const RecordedSteps steps = run(300, 100'000, 200, kNever);
  CHECK(range(steps.first) == "0-15");
  CHECK(range(steps.later) == "184-199");
  CHECK(range(steps.at_checkpoint) == "none");
}

TEST_CASE("without a pace, those in the middle of the epoch; a pace goes before it") {
  CHECK(range(run(1000, 1000, kNever, kNever).later) == "492-507");
  CHECK(range(run(1000, 1000, 900, kNever).later) == "884-899");
  CHECK(range(run(1000, 1000, 100, kNever).later) == "84-99");
}

TEST_CASE("no step is in the first ones and in the later ones") {
  CHECK(range(run(30, 100, 20, kNever).later) == "16-19");
  CHECK(range(run(12, 12, kNever, kNever).later) == "none");
  CHECK(range(run(12, 12, kNever, kNever).first) == "0-11");
}

TEST_CASE("a checkpoint has as many steps before it as after it, or all there are") {
  CHECK(range(run(300, 300, kNever, 100).at_checkpoint) == "92-107");
  CHECK(range(run(103, 300, kNever, 100).at_checkpoint) == "87-102");
  CHECK(range(run(300, 300, kNever, 3).at_checkpoint) == "0-10");
}
