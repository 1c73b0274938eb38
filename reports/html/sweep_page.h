// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/page.h"

namespace gpufeed::html {

/// A point of a sweep, as far as a page shows it.
struct SweptPoint {
  std::vector<std::string> values;   ///< of each axis
  double samples_per_s = 0;          ///< of an engine that serves: requests within the goal
  std::optional<double> ttft_p95_s;  ///< of such an engine alone
  double gpus_busy = 0;              ///< 0 to 1
  std::optional<double> price_USD;
  std::optional<double> power_W;
  std::string bottleneck;
  bool price_lacks_parts = false;  ///< `price_USD` is a least one
  bool power_lacks_parts = false;
  bool meets = false;            ///< all constraints, as predicted
  std::optional<double> chance;  ///< that what would be measured meets them
};

struct SweptPoints {
  std::vector<std::string> axes;
  std::vector<SweptPoint> points;
  std::size_t failed = 0;  ///< points that have no result
  std::vector<std::string> constraints;
  bool are_served = false;  ///< engines that serve a language model

  const char* rate_unit() const { return are_served ? "requests/s" : "samples/s"; }
};

/// Charts over the first axis, a line for each value of the second; price against the rate with
/// the points that none beats in both (the Pareto front), and those that meet the constraints; a
/// table.
std::string to_html(const SweptPoints& swept, const PageHead& head);

/// The points of which no other has at least as great a rate at as low a price, by price; of
/// those that have a price.
std::vector<std::size_t> cheapest_for_rate(const std::vector<SweptPoint>& points);

}  // namespace gpufeed::html
