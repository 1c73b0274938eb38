// SPDX-License-Identifier: Apache-2.0
#include "sim/base/numbers/statistics.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/base/assert.h"

namespace gpufeed {

double quantile(std::vector<double> values, double share) {
  GPUFEED_ASSERT(share >= 0 && share <= 1, "a share is from 0 to 1");
  if (values.empty()) return 0;
  const double place = share * static_cast<double>(values.size() - 1);
  const double below = std::floor(place);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::ranges::nth_element(values, low);
  if (place == below) return *low;
  const double above = *std::min_element(low + 1, values.end());
  return *low + (place - below) * (above - *low);
}

double seen_quantile(std::vector<double> values, double share) {
  GPUFEED_ASSERT(share >= 0 && share <= 1, "a share is from 0 to 1");
  if (values.empty()) return 0;
  const double rank = std::max(1.0, std::ceil(share * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::ranges::nth_element(values, at);
  return *at;
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

double normal_quantile(double share) { return boost::math::quantile(boost::math::normal(), share); }

double student4_below(double z) {
  const double part = 1 + z * z / 4;
  return 0.5 + 0.375 * z / std::sqrt(part) * (1 - z * z / (12 * part));
}

namespace {

double t_from_normal(double z, double n) {
  const double g1 = (z * z * z + z) / 4;
  const double g2 = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
  const double g3 = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * z * z * z - 15 * z) / 384;
  return z + g1 / n + g2 / (n * n) + g3 / (n * n * n);
}

}  // namespace

double t_quantile(double n) { return t_from_normal(1.959964, n); }

double t_quantile(double n, double share) { return t_from_normal(normal_quantile(share), n); }

}  // namespace gpufeed
