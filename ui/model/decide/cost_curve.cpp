// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/cost_curve.h"

#include <algorithm>
#include <optional>

namespace gpufeed::ui {

void find_front(std::vector<CostPoint>& points, Better better) {
  const double sign = better == Better::low ? -1 : 1;
  std::ranges::stable_sort(points, [&](const CostPoint& a, const CostPoint& b) {
    return a.price_USD != b.price_USD ? a.price_USD < b.price_USD : sign * a.value > sign * b.value;
  });
  std::optional<double> best;
  for (CostPoint& point : points) {
    point.on_front = better != Better::none && (!best || sign * point.value > *best);
    if (point.on_front) best = sign * point.value;
  }
}

CostCurve cost_curve(const std::vector<SweptPoint>& points, const Figure& figure) {
  CostCurve curve;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].result) continue;
    const Result& result = *points[i].result;
    const auto value = figure.of(result);
    if (!value) continue;
    if (result.price_USD && result.without_price.empty())
      curve.points.push_back({*result.price_USD, *value, i});
    else
      ++curve.without_price;
  }
  find_front(curve.points, figure.better);
  return curve;
}

}  // namespace gpufeed::ui
