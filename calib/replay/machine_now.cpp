// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/machine_now.h"

#include <algorithm>
#include <cmath>

#include "calib/replay/replay_plan.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

Seconds mean_of(Seconds one, Seconds other) { return (one + other) / 2; }

std::optional<TimedReads> mean_of(const std::optional<TimedReads>& one,
                                  const std::optional<TimedReads>& other) {
  if (!one || !other) return one ? one : other;
  return TimedReads{one->by, mean_of(one->each, other->each)};
}

/// What a byte takes is what passes in a given time, so that times are what is averaged.
std::optional<CopyNow> mean_of(const std::optional<CopyNow>& one,
                               const std::optional<CopyNow>& other) {
  if (!one || !other) return one ? one : other;
  return CopyNow{{2 / (1 / one->now.value + 1 / other->now.value)}, one->calibrated};
}

double drift_of(double one, double other) { return std::abs(one - other) / (one + other); }

double drift_of(const std::optional<TimedReads>& one, const std::optional<TimedReads>& other) {
  return one && other ? drift_of(one->each.value, other->each.value) : 0;
}

}  // namespace

MeasuredParts measure_parts(const Scenario& scenario, const ReplayPlan& plan) {
  return {measure_loader(plan), measure_drive(scenario, plan), copy_now(scenario, plan.folder)};
}

MeasuredParts mean_of(const MeasuredParts& before, const MeasuredParts& after) {
  const ReplayLoader& one = before.loader;
  const ReplayLoader& other = after.loader;
  return {{mean_of(one.worker_start, other.worker_start), mean_of(one.wake, other.wake),
           mean_of(one.take_over, other.take_over), mean_of(one.place, other.place)},
          {mean_of(before.drive.small, after.drive.small),
           mean_of(before.drive.large, after.drive.large)},
          mean_of(before.copy, after.copy)};
}

Ratio drift_of(const MeasuredParts& before, const MeasuredParts& after) {
  const double copy =
      before.copy && after.copy ? drift_of(before.copy->now.value, after.copy->now.value) : 0;
  return {std::max({drift_of(before.drive.small, after.drive.small),
                    drift_of(before.drive.large, after.drive.large), copy})};
}

}  // namespace gpufeed
