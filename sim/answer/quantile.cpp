// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/quantile.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {

double quantile(std::vector<double>& values, double share) {
  const double rank = std::ceil(share * static_cast<double>(values.size())) - 1;
  const auto at = static_cast<std::ptrdiff_t>(std::max(rank, 0.0));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace gpufeed
