// SPDX-License-Identifier: Apache-2.0
#include "sim/range/crossing.h"

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

namespace gpufeed {

double crossing(const std::function<double(double)>& function, CrossingAt low, CrossingAt high,
                double within) {
  if (low.value == 0) return low.at;
  if (high.value == 0) return high.at;
  constexpr std::uintmax_t kMostCalls = 40;
  std::uintmax_t calls = kMostCalls;
  const auto near = [&](double a, double b) { return std::abs(b - a) <= within; };
  const auto [left, right] = boost::math::tools::toms748_solve(function, low.at, high.at, low.value,
                                                               high.value, near, calls);
  return (left + right) / 2;
}

}  // namespace gpufeed
