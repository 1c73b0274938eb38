// SPDX-License-Identifier: Apache-2.0
#include "sim/range/spread.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

constexpr double kNeverShown = 2;
constexpr double kOutside = 0.1;
constexpr double kTenthAbove = 1.5332062740589440;  ///< of Student's t, four degrees of freedom

/// Of an error with these ends, to be above a logarithm.
double chance_above(double logarithm, double down, double up) {
  const double end = logarithm < 0 ? down : up;
  if (end <= 0) return logarithm < 0 ? 1 : 0;
  return 1 - student4_below(kTenthAbove * logarithm / end);
}

/// How the time of a step is known does not count where GPUs wait for data.
Steps counting(Mechanism mechanism, Steps steps) {
  using enum Mechanism;
  if (mechanism == cores_bind || mechanism == storage_binds || mechanism == first_fill)
    std::erase_if(steps, [](Step step) {
      return step == Step::batch || step == Step::likeness || step == Step::split ||
             step == Step::contention;
    });
  return steps;
}

}  // namespace

double end_below(const Ceiling& ceiling, double up) {
  const double most = std::min(up, ceiling.at + ceiling.up);
  if (up <= 0 || !std::isfinite(ceiling.at)) return up;
  const auto too_likely = [&](double end) {
    return chance_above(end, 0, up) * chance_above(end - ceiling.at, ceiling.down, ceiling.up) >
           kOutside;
  };
  double low = 0, high = most;
  constexpr double kNear = 1e-9;
  while (high - low > kNear) (too_likely((low + high) / 2) ? low : high) = (low + high) / 2;
  return high;
}

double widening(const Discrepancy& discrepancy, const Steps& steps) {
  double product = 1;
  for (const Step step : steps) {
    const auto found = std::ranges::find(discrepancy.steps, step, &StepFactor::step);
    if (found != discrepancy.steps.end()) product *= found->factor;
  }
  return product;
}

bool shown_together(const Discrepancy& discrepancy, const Steps& steps) {
  return std::ranges::any_of(discrepancy.seen, [&](const SeenSteps& seen) {
    return seen.sources > 0 && std::ranges::includes(seen.steps, steps);
  });
}

std::optional<Spread> spread_of(const Discrepancies& discrepancies, Mechanism mechanism,
                                const Steps& all_steps, double values) {
  const Steps steps = counting(mechanism, all_steps);
  const auto found = discrepancies.find(mechanism);
  if (found == discrepancies.end()) return {};
  const Discrepancy& learned = *found->second;
  const double shown = shown_together(learned, steps) ? 1 : kNeverShown;
  Spread out;
  out.of_values = learned.parameters * values;
  out.extrapolation = shown * widening(learned, steps);
  out.of_model = learned.deviation * out.extrapolation;
  const double sigma = std::hypot(shown * out.of_values, out.of_model);
  out.down = std::min(learned.lower * sigma, kFurthestEnd);
  out.up = std::min(learned.upper * sigma, kFurthestEnd);
  out.shared = learned.shared;
  out.sources = learned.sources;
  return out;
}

}  // namespace gpufeed
