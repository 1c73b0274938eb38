// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/expected_slowest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace gpufeed {
namespace {

using Counts = std::map<double, int>;  ///< GPUs by the mean of their time

/// The chance that a gamma-distributed time of mean 1 has ended by `time`. The exact function of
/// Boost would take nine tenths of the time of a range, which asks at each draw.
double ended(double time, double deviation) {
  const double normal = 3 * (std::cbrt(time) - 1 + deviation * deviation / 9) / deviation;
  return std::erfc(-normal / std::numbers::sqrt2) / 2;
}

/// The chance that all have ended by `time`.
double all_ended(const Counts& counts, double deviation, double time) {
  double chance = 1;
  for (const auto& [mean, count] : counts) chance *= std::pow(ended(time / mean, deviation), count);
  return chance;
}

double mean_slowest(const Counts& counts, double deviation) {
  const double slowest = counts.rbegin()->first;
  if (deviation == 0 || slowest == 0) return slowest;
  // Beyond ten deviations nothing is left to add, even for a hundred thousand GPUs.
  constexpr int kParts = 256;
  const double from = slowest * std::max(0.0, 1 - 10 * deviation);
  const double part = slowest * (1 + 10 * deviation) / kParts - from / kParts;
  double sum = 0;
  for (int i = 0; i < kParts; ++i) sum += 1 - all_ended(counts, deviation, from + (i + 0.5) * part);
  return from + sum * part;
}

/// A value of it. A range asks hundreds of times, of GPUs that hardly any of its draws changes.
struct Known {
  Counts counts;
  double deviation = 0;
  double slowest = 0;
};

}  // namespace

Seconds expected_slowest(const Plan& plan) {
  thread_local Known last;
  Counts counts;
  for (const auto& gpu : plan.gpus) counts[gpu.compute.value] += gpu.stands_for;
  const double deviation = plan.step_jitter.value;
  if (counts != last.counts || deviation != last.deviation)
    last = {counts, deviation, mean_slowest(counts, deviation)};
  return {last.slowest};
}

}  // namespace gpufeed
