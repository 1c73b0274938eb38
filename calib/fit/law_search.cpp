// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/law_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "calib/fit/minimum.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSoft = 0.1;    ///< departure from which on a point counts linearly
constexpr double kSoftest = 0;   ///< log of kOneAfterAnother: nothing waits longer than that
constexpr double kFloor = 0.01;  ///< no bandwidth is measured better than this

/// The bandwidths that the three roofs allow.
std::array<double, 3> roofs_of(const DriveLaw& law, const DrivePoint& point) {
  const Bandwidth by_rate = law.request_rate * std::min(point.request, law.largest_request);
  const Seconds one = law.latency + point.request / law.request_bandwidth;
  return {law.bandwidth.value, by_rate.value, point.outstanding * point.request.value / one.value};
}

/// Its square is a smooth Huber loss of `r`: r^2 where small, linear where large.
double softened(double r) {
  const double z = (r / kSoft) * (r / kSoft);
  return r * std::sqrt(2 / (1 + std::sqrt(1 + z)));
}

/// The deviation of normally distributed residuals whose absolute values have this median.
double noise_of(std::vector<double> residuals, std::size_t fitted) {
  constexpr double kOfMedian = 1.4826;
  const auto count = static_cast<double>(residuals.size());
  for (double& r : residuals) r = std::abs(r);
  return kOfMedian * median(std::move(residuals)) *
         std::sqrt(count / std::max(1.0, count - static_cast<double>(fitted)));
}

}  // namespace

DriveLaw law_at(const LawPlace& place) {
  return {{std::exp(place[kBandwidth])},      {std::exp(place[kRequestRate])},
          {std::exp(place[kLatency])},        {std::exp(place[kRequestBandwidth])},
          {std::exp(place[kLargestRequest])}, std::exp(place[kSharpness])};
}

double left_out(LawParameter parameter) { return parameter == kLatency ? -kInfinite : kInfinite; }

LawParameter limit_of(const DriveLaw& law, const DrivePoint& point) {
  const auto roofs = roofs_of(law, point);
  const auto least = std::ranges::min_element(roofs) - roofs.begin();
  if (least == 0) return kBandwidth;
  if (least == 1) return kRequestRate;
  return law.latency < point.request / law.request_bandwidth ? kRequestBandwidth : kLatency;
}

bool limits_alone(const DriveLaw& law, LawParameter roof, const DrivePoint& point) {
  constexpr double kFarBelow = 2;
  auto roofs = roofs_of(law, point);
  std::swap(roofs[0], roofs[roof == kBandwidth ? 0 : 1]);
  return kFarBelow * roofs[0] <= std::min(roofs[1], roofs[2]);
}

double FoundLaw::tolerance() const { return 4 * std::max(noise * noise, kFloor * kFloor); }

std::vector<double> LawSearch::residuals(const LawPlace& place) const {
  const DriveLaw law = law_at(place);
  std::vector<double> found;
  found.reserve(points_.size());
  for (const DrivePoint& p : points_) {
    const double ratio = attained_bandwidth(law, p.request, p.outstanding) / p.bandwidth;
    // Far outside, the law's parameters overflow; the solver must see a wall there, no NaN.
    constexpr double kWall = 1e6;
    found.push_back(std::isfinite(ratio) && ratio > 0 ? softened(std::log(ratio)) : kWall);
  }
  return found;
}

std::vector<LawPlace> LawSearch::starts(double sharpness) const {
  double bandwidth = 0;
  double rate = 0;
  double latency = kInfinite;
  for (const DrivePoint& p : points_) {
    bandwidth = std::max(bandwidth, p.bandwidth.value);
    rate = std::max(rate, (p.bandwidth / p.request).value);
    latency = std::min(latency, p.outstanding * (p.request / p.bandwidth).value);
  }
  std::vector<LawPlace> all;
  for (const double roof : {0.7, 1.2})
    for (const double top : {1.0, 3.0})
      for (const double one : {0.5, 2.0, 10.0})
        all.push_back({std::log(bandwidth * roof), std::log(rate * top), std::log(latency),
                       std::log(bandwidth * one), kInfinite, std::log(sharpness)});
  return all;
}

FoundLaw LawSearch::from(const LawPlace& start, const LawParameters& fitted) const {
  const auto place_of = [&](std::span<const double> values) {
    LawPlace place = start;
    for (std::size_t i = 0; i < fitted.size(); ++i) place[fitted[i]] = values[i];
    return place;
  };
  std::vector<double> values;
  for (const LawParameter parameter : fitted) values.push_back(start[parameter]);
  Minimum found = least_squares([&](std::span<const double> at) { return residuals(place_of(at)); },
                                std::move(values));
  const LawPlace place = place_of(found.place);
  const auto sharpness = std::ranges::find(fitted, kSharpness);
  if (sharpness != fitted.end() && place[kSharpness] < kSoftest) {
    LawPlace softest = start;
    softest[kSharpness] = kSoftest;
    LawParameters others = fitted;
    std::erase(others, kSharpness);
    FoundLaw law = from(softest, others);
    law.fitted = fitted;
    law.deviation.insert(law.deviation.begin() + (sharpness - fitted.begin()), 0);
    return law;
  }
  return {place, fitted, found.cost, std::move(found.deviation),
          noise_of(residuals(place), fitted.size())};
}

FoundLaw LawSearch::best(const std::vector<LawPlace>& starts, const LawParameters& fitted) const {
  FoundLaw least{{}, fitted, kInfinite, {}, 0};
  for (const LawPlace& start : starts)
    if (FoundLaw found = from(start, fitted); found.cost < least.cost) least = std::move(found);
  return least;
}

}  // namespace gpufeed
