// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/drive_law.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {

Bandwidth attained_bandwidth(const DriveLaw& law, Bytes request, double outstanding) {
  const Bandwidth by_rate = law.request_rate * std::min(request, law.largest_request);
  const Seconds one = law.latency + request / law.request_bandwidth;
  const Bandwidth by_depth = Bytes{request.value * outstanding} / one;
  const Bandwidth least = std::min({law.bandwidth, by_rate, by_depth});
  double sum = 0;  // relative to the least roof, so that no power overflows
  for (const Bandwidth roof : {law.bandwidth, by_rate, by_depth})
    sum += std::pow(least / roof, law.sharpness);
  return {least.value * std::pow(sum, -1 / law.sharpness)};
}

}  // namespace gpufeed
