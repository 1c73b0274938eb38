// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/drive_law.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/pages.h"

namespace gpufeed {
namespace {

/// What is left of a rate where each page costs the device its time.
Bandwidth page_by_page(const DriveLaw& law, Bandwidth contiguous) {
  if (law.page_time.value == 0) return contiguous;
  return {1 / (1 / contiguous.value + law.page_time.value / kPageBytes)};
}

Bandwidth by_rate(const DriveLaw& law, Bytes request) {
  return law.request_rate * std::min(request, law.largest_request);
}

Bandwidth by_depth(const DriveLaw& law, Bytes request, double outstanding) {
  return Bytes{request.value * outstanding} / (law.latency + request / law.request_bandwidth);
}

/// Of requests that wait so long, were their pages contiguous; 0 where pages alone take longer.
Bandwidth contiguous(const DriveLaw& law, Bytes request, double outstanding, Seconds wait) {
  const Seconds pages{law.page_time.value * request.value / kPageBytes};
  // with q requests under way the pages of all are looked up in the time of one
  const Seconds left = wait - outstanding * pages;
  return left.value > 0 ? Bytes{outstanding * request.value} / left : Bandwidth{};
}

/// What of `seen` is left to a third roof, to the power -p of its own: 1 where the others are far.
double left_beside(const DriveLaw& law, Bandwidth seen, Bandwidth roof, Bandwidth other) {
  return 1 - std::pow(seen / roof, law.sharpness) - std::pow(seen / other, law.sharpness);
}

}  // namespace

Seconds lone_request(const DriveLaw& law, Bytes request) {
  return law.latency + request / lone_bandwidth(law);
}

Bandwidth lone_bandwidth(const DriveLaw& law) { return page_by_page(law, law.request_bandwidth); }

Bandwidth attained_bandwidth(const DriveLaw& law, Bytes request, double outstanding) {
  const std::array roofs{law.bandwidth, by_rate(law, request), by_depth(law, request, outstanding)};
  const Bandwidth least = std::ranges::min(roofs);
  double sum = 0;  // relative to the least roof, so that no power overflows
  for (const Bandwidth roof : roofs) sum += std::pow(least / roof, law.sharpness);
  return page_by_page(law, {least.value * std::pow(sum, -1 / law.sharpness)});
}

std::optional<Seconds> latency_of_wait(const DriveLaw& law, Bytes request, double outstanding,
                                       Seconds wait) {
  const Bandwidth seen = contiguous(law, request, outstanding, wait);
  const double left = left_beside(law, seen, law.bandwidth, by_rate(law, request));
  if (seen.value <= 0 || left <= 0) return {};
  const Bandwidth depth = seen * std::pow(left, -1 / law.sharpness);
  const Seconds latency =
      Bytes{outstanding * request.value} / depth - request / law.request_bandwidth;
  if (latency.value <= 0) return {};
  return latency;
}

std::optional<Bandwidth> bandwidth_of_wait(const DriveLaw& law, Bytes request, double outstanding,
                                           Seconds wait) {
  constexpr double kLeast = 0.5;
  const Bandwidth seen = contiguous(law, request, outstanding, wait);
  const double left =
      left_beside(law, seen, by_rate(law, request), by_depth(law, request, outstanding));
  if (seen.value <= 0 || left < kLeast) return {};
  return seen * std::pow(left, -1 / law.sharpness);
}

}  // namespace gpufeed
