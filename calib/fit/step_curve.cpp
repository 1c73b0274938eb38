// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/step_curve.h"

#include <cmath>
#include <iterator>

namespace gpufeed {

StepCurve::Point step_at(const StepCurve& curve, double batch) {
  const auto& points = curve.of_batch;
  if (points.size() == 1) return points.begin()->second;
  auto high = points.lower_bound(batch);
  if (high == points.end()) --high;
  if (high == points.begin()) ++high;
  const auto low = std::prev(high);
  const double part = (batch - low->first) / (high->first - low->first);
  const auto between = [part](Seconds a, Seconds b) { return a + (b - a) * part; };
  return {between(low->second.gpu, high->second.gpu), between(low->second.host, high->second.host)};
}

}  // namespace gpufeed
