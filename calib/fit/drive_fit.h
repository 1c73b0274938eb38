// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/catalog/drive_law.h"

namespace gpufeed {

/// As a share of the value: what is known less well is not determined, and refused.
inline constexpr double kLargestDeviation = 0.5;

/// One measurement of a drive in one direction.
struct DrivePoint {
  Bytes request;
  double outstanding = 1;  ///< requests under way all the time
  Bandwidth bandwidth;
};

/// What the points tell of one parameter of the law: it lies from `low` to `high` (SI values), at
/// about 95 % confidence where the points scatter independently, and no narrower than the points
/// scatter that it limits.
struct Known {
  std::string_view name;  ///< of the member of DriveLaw
  double low = 0;
  double high = 0;
  bool at_limit = false;  ///< the best value is the least that there is

  /// The points never reach this roof: `high` is infinite, or `low` is 0 for a latency. The law
  /// then has the value nearest to the other end that fits all but as well as the best.
  bool open() const;
  /// Whether the points tell anything of it: false with 0 and infinity for its ends.
  bool told() const;
};

struct DriveFit {
  DriveLaw law;
  std::vector<Known> known;        ///< what was fitted, in the order of DriveLaw's members
  std::vector<double> departures;  ///< of the law from each point: law / measured - 1
  double median = 0;               ///< of their absolute values
  double p95 = 0;
  double flash_median = 0;    ///< the median with flash's sharpness, or the given one, and no limit
  double free_sharpness = 0;  ///< that fits best of all, whether or not the points tell it

  const Known* what_is_known_of(std::string_view name) const;
};

/// Fits a drive law to the points: least squares of log(law / measured), where departures above
/// about 10 % count linearly, so that a few odd points do not bend the law. Every point counts
/// alike; the same points give the same law. Bandwidth and rate do not lie below the median of the
/// points that they alone limit: those between the roofs would otherwise pull them down.
/// `largest_request` stays infinite and the sharpness that of flash, unless the points tell
/// otherwise beyond chance.
/// \param name       stands for the points in messages
/// \param sharpness  takes this one instead of fitting it
/// \throws InputError  where the points cannot tell a law: fewer than 5 settings, or but one block
///                     size, or but one depth; or where half of them lie further than
///                     kLargestDeviation from the best
DriveFit fit_drive(const std::vector<DrivePoint>& points, const std::string& name,
                   std::optional<double> sharpness = {});

}  // namespace gpufeed
