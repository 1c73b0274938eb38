// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "calib/fit/drive_fit.h"

namespace gpufeed {

/// What of a DriveLaw may be fitted, in the order of its members.
enum LawParameter : std::size_t {
  kBandwidth,
  kRequestRate,
  kLatency,
  kRequestBandwidth,
  kLargestRequest,
  kSharpness,
  kLawParameters
};
using LawParameters = std::vector<LawParameter>;

/// The logarithms of a law's parameters. One that is infinite leaves its roof out.
using LawPlace = std::array<double, kLawParameters>;

DriveLaw law_at(const LawPlace& place);

/// The value of `parameter` that leaves its roof out.
double left_out(LawParameter parameter);

/// A law among those that differ in some parameters, and how well it fits.
struct FoundLaw {
  LawPlace place{};
  LawParameters fitted;
  double cost;                    ///< loss over all points
  std::vector<double> deviation;  ///< of each that was fitted, were the residuals' own 1; 0 of a
                                  ///< sharpness at its limit
  double noise;                   ///< deviation of the residuals, the few wild ones left out
  LawParameters raised = {};      ///< roofs that were put where the points lie, and not fitted

  /// What the cost of another law must exceed this one's by to be worse beyond chance (95 %, one
  /// parameter).
  double tolerance() const;
};

/// What limits a request most, in the order of the roofs; of the third, the larger of its times.
LawParameter limit_of(const DriveLaw& law, const DrivePoint& point);

/// Whether `roof`, the bandwidth or the rate, lies below half of each other one there.
bool limits_alone(const DriveLaw& law, LawParameter roof, const DrivePoint& point);

/// Searches the laws that fit the points best. The points must outlive it.
class LawSearch {
 public:
  explicit LawSearch(const std::vector<DrivePoint>& points) : points_(points) {}

  /// Laws to start from, of this sharpness and without a largest request.
  std::vector<LawPlace> starts(double sharpness) const;
  /// The best law next to `start` that differs from it in `fitted` only. Its sharpness stays
  /// above kOneAfterAnother.
  FoundLaw from(const LawPlace& start, const LawParameters& fitted) const;
  /// The best of those next to each start.
  FoundLaw best(const std::vector<LawPlace>& starts, const LawParameters& fitted) const;

 private:
  std::vector<double> residuals(const LawPlace& place) const;

  const std::vector<DrivePoint>& points_;
};

}  // namespace gpufeed
