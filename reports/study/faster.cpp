// SPDX-License-Identifier: Apache-2.0
#include "reports/study/faster.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

constexpr double kIn95 = 1.96;  ///< deviations of a half width of 95 %
/// Of a run too short to tell: what is asked for by default.
constexpr double kUnknownWidth = 0.005;

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// That a value is indeed the larger, where `logarithm` is that of its ratio to the other.
double chance_of(double logarithm, double deviation) {
  return logarithm == 0 ? 0.5 : normal_below(logarithm / deviation);
}

/// Of the difference of the models' errors.
double model_scale(const Contestant& a, const Contestant& b) {
  const double common = a.mechanism == b.mechanism ? std::min(a.shared, b.shared) : 0;
  return std::sqrt(std::max(0.0, a.of_model * a.of_model + b.of_model * b.of_model -
                                     2 * common * a.of_model * b.of_model));
}

}  // namespace

double deviation_of(const Result& result) {
  const double width = result.simulated.step_rate_uncertainty;
  return std::hypot(std::isfinite(width) ? width : kUnknownWidth,
                    result.simulated.run_uncertainty) /
         kIn95;
}

Contestant contestant(const Result& result, const Drawn& drawn) {
  const double whole = result.time_to_result_s;
  const double share =
      whole > 0 && std::isfinite(whole) ? 1 - result.before_training_s() / whole : 1;
  Contestant out{result.job_samples_per_s,
                 deviation_of(result) * share,
                 drawn.times,
                 drawn.mechanism,
                 drawn.of_model,
                 drawn.shared};
  for (double& logarithm : out.drawn) logarithm = -logarithm;
  return out;
}

double chance_as_stated(const Contestant& one, const Contestant& other) {
  return chance_of(std::log(one.value / other.value), std::hypot(one.deviation, other.deviation));
}

std::optional<double> chance_in_draws(const Contestant& one, const Contestant& other) {
  if (one.drawn.empty() || one.drawn.size() != other.drawn.size()) return {};
  const double logarithm = std::log(one.value / other.value);
  if (logarithm == 0 && one.drawn == other.drawn) return 0.5;
  const double deviation = std::hypot(one.deviation, other.deviation);
  const double model = model_scale(one, other);
  double sum = 0;
  for (std::size_t i = 0; i < one.drawn.size(); ++i) {
    const double apart = logarithm + one.drawn[i] - other.drawn[i];
    sum += model > 0 ? student4_below(apart / std::hypot(deviation, model))
                     : chance_of(apart, deviation);
  }
  return sum / static_cast<double>(one.drawn.size());
}

}  // namespace gpufeed
