// SPDX-License-Identifier: Apache-2.0
// What is recorded of each GPU's steps, against what the Result says of the same steps.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "sim/model/scenario.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr std::int64_t kStretchSteps = 16;  ///< of a stretch

Result recorded(Scenario scenario) {
  scenario.run.timeline = true;
  return simulate(scenario);
}

/// Seconds by kind.
std::map<std::string, double> sums_of(const TimelineGpu& gpu) {
  std::map<std::string, double> sums;
  for (const Interval& bar : gpu.intervals) sums[bar.kind] += bar.end_s - bar.start_s;
  return sums;
}

/// The bars of each GPU follow one another, in steps that do, and fill the stretch.
void check_filled(const TimelineStretch& stretch, bool synchronous) {
  CAPTURE(stretch.name);
  for (const TimelineGpu& gpu : stretch.gpus) {
    CAPTURE(gpu.gpu);
    REQUIRE_FALSE(gpu.intervals.empty());
    double reached = gpu.intervals.front().start_s;
    std::int64_t step = gpu.intervals.front().step;
    for (const Interval& bar : gpu.intervals) {
      CHECK(bar.start_s == approx(reached).epsilon(1e-12));
      CHECK(bar.end_s > bar.start_s);
      CHECK(bar.step - step >= 0);
      CHECK(bar.step - step <= 1);
      reached = bar.end_s;
      step = bar.step;
    }
    if (!synchronous) continue;
    CHECK(gpu.intervals.front().start_s == approx(stretch.start_s).epsilon(1e-12));
    CHECK(reached == approx(stretch.end_s).epsilon(1e-12));
    CHECK(gpu.intervals.front().step == stretch.first_step);
    CHECK(step == stretch.first_step + stretch.steps - 1);
  }
}

const TimelineStretch& stretch_of(const Result& result, const std::string& name) {
  for (const auto& stretch : result.timeline)
    if (stretch.name == name) return stretch;
  FAIL("no stretch is called " << name);
  return result.timeline.front();
}

}  // namespace

TEST_CASE("of a job of sixteen steps the time line holds all: its sums are the shares") {
  for (std::uint64_t seed = 1; seed <= draws(100u); ++seed) {
    RandomMachine machine = random_machine(seed);
    machine.steps = kStretchSteps;
    Scenario scenario = scenario_of(machine);
    scenario.run.extrapolate = false;
    const Result result = recorded(scenario);
    CAPTURE(seed);
    REQUIRE(result.timeline.size() == 1);
    const TimelineStretch& all = result.timeline.front();
    check_filled(all, true);
    CHECK(all.steps == kStretchSteps);
    CHECK(std::ssize(all.gpus) == machine.gpus);
    const double length = all.end_s - all.start_s;
    // What chance made faster than the bound is said to take as long as that.
    if (result.throughput_samples_per_s != approx(result.bound.samples_per_s).epsilon(1e-9))
      CHECK(length == approx(result.training_s).epsilon(1e-9));
    else
      CHECK(length <= result.training_s * (1 + 1e-9));
    std::map<std::string, double> seconds, stated;
    for (const auto& gpu : all.gpus)
      for (const auto& [kind, sum] : sums_of(gpu)) seconds[kind] += sum;
    for (const auto& group : result.gpus)
      for_each_field<GpuShare>([&](const auto& field) {
        stated[std::string(field.name)] +=
            group.share.*field.member * static_cast<double>(group.count) * length;
      });
    for (const auto& [kind, sum] : stated)
      CHECK(seconds[kind] == approx(sum).epsilon(1e-9).scale(length));
  }
}

TEST_CASE("steady steps of GPUs that wait for a drive: compute, and wait for the rest") {
  RandomMachine m = four_ample_gpus();
  m.rate[kDrive] = 5e7;
  m.steps = 4000;
  const Result result = recorded(scenario_of(m));
  const double step = 4 * kBatch * 1e5 / (2 * 5e7);
  const TimelineStretch& first = stretch_of(result, "the first steps");
  CHECK(first.first_step == 0);
  CHECK(first.start_s == 0);
  CHECK(first.steps == kStretchSteps);
  const TimelineStretch& later = stretch_of(result, "later steps");
  CHECK(later.first_step >= kStretchSteps);
  CHECK(later.steps == kStretchSteps);
  CHECK(later.start_s > first.end_s);
  for (const auto* stretch : {&first, &later}) check_filled(*stretch, true);
  for (const auto& gpu : later.gpus) {
    auto sums = sums_of(gpu);
    CHECK(sums["compute"] == approx(kStretchSteps * kStep).epsilon(1e-9));
    // The workers' bursts may fall to either side of the stretch: one round of them at most.
    CHECK(sums["storage"] == approx(kStretchSteps * (step - kStep)).epsilon(0.5));
  }
}

TEST_CASE("around a checkpoint every GPU stands still for as long as its pause is said to last") {
  for (const std::int64_t interval : {10, 100}) {  // checkpoints where they fall, and measured
    const Result result = recorded(saved_every(interval));
    const TimelineStretch& around = stretch_of(result, "around a checkpoint");
    check_filled(around, true);
    REQUIRE(around.gpus.size() == 4);
    for (const auto& gpu : around.gpus) {
      std::map<std::int64_t, double> pauses;
      for (const auto& bar : gpu.intervals)
        if (bar.kind == "checkpoint") pauses[bar.step] += bar.end_s - bar.start_s;
      REQUIRE_FALSE(pauses.empty());
      CHECK(pauses.begin()->first > around.first_step);
      CHECK(pauses.begin()->first < around.first_step + around.steps);
      CHECK(pauses.begin()->second == approx(result.checkpoint->pause_s).epsilon(0.02));
    }
  }
}

TEST_CASE("a first epoch that reads what later ones find in memory has steps of its own") {
  RandomMachine m = four_ample_gpus();
  m.rate[kDrive] = 5e7;
  m.steps = 100;
  Scenario scenario = scenario_of(m);
  scenario.workload.get<RunsEpochs>().epochs = 3;
  scenario.loader.cache = CacheRule::pinned;
  const Result result = recorded(scenario);
  REQUIRE(result.cache.hit_rate == 1);
  REQUIRE(result.timeline.size() == 4);
  for (const auto& stretch : result.timeline) check_filled(stretch, true);
  const auto waits = [](const TimelineStretch& stretch) {
    return sums_of(stretch.gpus.front())["storage"];
  };
  CHECK(waits(stretch_of(result, "later in the first epoch")) > kStretchSteps * kStep);
  CHECK(waits(stretch_of(result, "later in such an epoch")) < 0.01 * kStretchSteps * kStep);
}

TEST_CASE("GPUs of several nodes have their node's name, and say for how many they stand") {
  RandomMachine m = four_ample_gpus();
  m.nics = 1;
  Scenario scenario = scenario_of(m);
  scenario.nodes = 128;
  const Result result = recorded(scenario);
  REQUIRE(result.simulated.folded.simulated_nodes < 128);
  const TimelineStretch& first = result.timeline.front();
  CHECK(first.gpus[5].gpu == "node1 gpu1");
  CHECK(std::ssize(first.gpus) == 4 * result.simulated.folded.simulated_nodes);
  for (const auto& gpu : first.gpus)
    CHECK(gpu.count == 128 / result.simulated.folded.simulated_nodes);
}

TEST_CASE("what is recorded changes no number, and nothing is where nobody asks") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Scenario scenario = scenario_of(random_machine(seed));
    const Result plain = simulate(scenario);
    const Result with = recorded(scenario);
    CAPTURE(seed);
    CHECK(plain.timeline.empty());
    CHECK_FALSE(with.timeline.empty());
    CHECK(plain.time_to_result_s == with.time_to_result_s);
    CHECK(plain.accelerator_utilization == with.accelerator_utilization);
  }
}
