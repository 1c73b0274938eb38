// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/drive_law.h"

#include <algorithm>
#include <cmath>

#include "sim/base/pages.h"

namespace gpufeed {
namespace {

/// What is left of a rate where each page costs the device its time.
Bandwidth page_by_page(const DriveLaw& law, Bandwidth contiguous) {
  if (law.page_time.value == 0) return contiguous;
  return {1 / (1 / contiguous.value + law.page_time.value / kPageBytes)};
}

}  // namespace

Seconds lone_request(const DriveLaw& law, Bytes request) {
  return law.latency + request / lone_bandwidth(law);
}

Bandwidth lone_bandwidth(const DriveLaw& law) { return page_by_page(law, law.request_bandwidth); }

Bandwidth attained_bandwidth(const DriveLaw& law, Bytes request, double outstanding) {
  const Bandwidth by_rate = law.request_rate * std::min(request, law.largest_request);
  const Seconds one = law.latency + request / law.request_bandwidth;
  const Bandwidth by_depth = Bytes{request.value * outstanding} / one;
  const Bandwidth least = std::min({law.bandwidth, by_rate, by_depth});
  double sum = 0;  // relative to the least roof, so that no power overflows
  for (const Bandwidth roof : {law.bandwidth, by_rate, by_depth})
    sum += std::pow(least / roof, law.sharpness);
  const Bandwidth contiguous{least.value * std::pow(sum, -1 / law.sharpness)};
  return page_by_page(law, contiguous);
}

}  // namespace gpufeed
