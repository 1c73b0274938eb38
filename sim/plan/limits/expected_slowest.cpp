// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/expected_slowest.h"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <map>
#include <numbers>

namespace gpufeed {
namespace {

using Counts = std::map<double, int>;  ///< GPUs by the mean of their time

/// The chance that all have ended by `time`.
double all_ended(const Counts& counts, double deviation, double time) {
  const double shape = 1 / (deviation * deviation);
  // Of smaller ones the gamma distribution's series do not end, and it is a normal one by then.
  constexpr double kNormal = 1e-5;
  double chance = 1;
  for (const auto& [mean, count] : counts)
    chance *= std::pow(
        deviation < kNormal
            ? std::erfc((1 - time / mean) / deviation / std::numbers::sqrt2) / 2
            : boost::math::cdf(boost::math::gamma_distribution<>(shape, mean / shape), time),
        count);
  return chance;
}

}  // namespace

Seconds expected_slowest(const Plan& plan) {
  Counts counts;
  for (const auto& gpu : plan.gpus) counts[gpu.compute.value] += gpu.stands_for;
  const double slowest = counts.rbegin()->first;
  const double deviation = plan.step_jitter.value;
  if (deviation == 0 || slowest == 0) return {slowest};
  // Beyond ten deviations nothing is left to add, even for a hundred thousand GPUs.
  constexpr int kParts = 256;
  const double from = slowest * std::max(0.0, 1 - 10 * deviation);
  const double part = slowest * (1 + 10 * deviation) / kParts - from / kParts;
  double sum = 0;
  for (int i = 0; i < kParts; ++i) sum += 1 - all_ended(counts, deviation, from + (i + 0.5) * part);
  return {from + sum * part};
}

}  // namespace gpufeed
