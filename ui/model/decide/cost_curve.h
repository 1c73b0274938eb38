// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ui/model/decide/sweeper.h"
#include "ui/model/show/figures.h"

namespace gpufeed::ui {

/// What a configuration costs, and what it gives for that.
struct CostPoint {
  double price_USD = 0;
  double value = 0;
  std::size_t point = 0;  ///< its number where it is from
  bool on_front = false;  ///< none that costs no more gives more
};

/// A figure over dollars, the cheapest first; of equal price the best first.
struct CostCurve {
  std::vector<CostPoint> points;
  std::size_t without_price = 0;  ///< points left out: their price is not, or not wholly, known
};

/// Puts points in order, and finds the front. \param better  what of the figure is
void find_front(std::vector<CostPoint>& points, Better better);

/// Of the points of a sweep that were answered and have the figure.
CostCurve cost_curve(const std::vector<SweptPoint>& points, const Figure& figure);

}  // namespace gpufeed::ui
