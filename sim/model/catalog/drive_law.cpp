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

std::optional<Seconds> latency_of_wait(const DriveLaw& law, Bytes request, double outstanding,
                                       Seconds wait) {
  const Seconds pages{law.page_time.value * request.value / kPageBytes};
  // with q requests under way the pages of all are looked up in the time of one
  const Seconds contiguous = wait - outstanding * pages;
  if (contiguous.value <= 0) return {};
  const double seen = outstanding * request.value / contiguous.value;  // B/s
  const Bandwidth by_rate = law.request_rate * std::min(request, law.largest_request);
  double left = 1;
  for (const Bandwidth roof : {law.bandwidth, by_rate})
    left -= std::pow(seen / roof.value, law.sharpness);
  if (left <= 0) return {};
  const double by_depth = seen * std::pow(left, -1 / law.sharpness);
  const Seconds latency =
      Bytes{outstanding * request.value} / Bandwidth{by_depth} - request / law.request_bandwidth;
  if (latency.value <= 0) return {};
  return latency;
}

}  // namespace gpufeed
