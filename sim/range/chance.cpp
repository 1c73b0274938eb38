// SPDX-License-Identifier: Apache-2.0
#include "sim/range/chance.h"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace gpufeed {
namespace {

std::array<double, kOutcomes> all_deviations() {
  constexpr double kDegrees = 4, kUpper = 0.9;
  const boost::math::students_t law(kDegrees);
  const double upper = quantile(law, kUpper);
  std::array<double, kOutcomes> out{};
  for (std::size_t i = 0; i < kOutcomes; ++i)
    out[i] = quantile(law, (static_cast<double>(i) + 0.5) / kOutcomes) / upper;
  return out;
}

}  // namespace

double outcome_deviation(std::size_t which) {
  static const std::array<double, kOutcomes> all = all_deviations();
  return all.at(which);
}

double value_off_by(const PredictionInterval& interval, double deviation) {
  const double end = deviation < 0 ? interval.p10 : interval.p90;
  return interval.p50 * std::pow(end / interval.p50, std::abs(deviation));
}

}  // namespace gpufeed
