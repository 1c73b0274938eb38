// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace gpufeed {

struct CrossingAt {
  double at = 0;
  double value = 0;
};

/// Where a monotone function passes 0, by the algorithm 748 of Alefeld, Potra and Shi.
/// \param low, high  points on both sides of it
/// \param within     how far off it may be
double crossing(const std::function<double(double)>& function, CrossingAt low, CrossingAt high,
                double within);

}  // namespace gpufeed
