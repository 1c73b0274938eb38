// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace gpufeed {

/// The residuals at a place; always of the same number.
using Residuals = std::function<std::vector<double>(std::span<const double> place)>;

struct Minimum {
  std::vector<double> place;
  double cost = 0;                ///< sum of the squared residuals
  std::vector<double> deviation;  ///< of each coordinate, were the residuals' own 1
};

/// The place of least squares next to `start` (Levenberg-Marquardt). There must be at least as many
/// residuals as coordinates, and the residuals smooth. A coordinate they do not depend on has an
/// infinite deviation.
Minimum least_squares(const Residuals& residuals, std::vector<double> start);

}  // namespace gpufeed
