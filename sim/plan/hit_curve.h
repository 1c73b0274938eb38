// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace gpufeed {

/// The share of its samples that an epoch finds in the page cache, from its beginning to its end.
struct HitCurve {
  static constexpr std::size_t kSlices = 20;

  std::array<double, kSlices> slices{};  ///< of equally many samples, in the order of reading

  /// Of the whole epoch.
  double mean() const {
    return std::accumulate(slices.begin(), slices.end(), 0.0) / static_cast<double>(kSlices);
  }
  /// \param position  in the epoch: the share of it that has been read, from 0 to below 1
  double at(double position) const {
    const auto slice = static_cast<std::size_t>(position * static_cast<double>(kSlices));
    return slices[std::min(slice, kSlices - 1)];
  }
  bool flat() const { return std::ranges::count(slices, slices.front()) == std::ssize(slices); }

  bool operator==(const HitCurve&) const = default;
};

/// Epochs, one after the other, that find about as much.
struct HitStretch {
  HitCurve hits;      ///< mean
  double epochs = 0;  ///< a job's last one may be shorter

  bool operator==(const HitStretch&) const = default;
};

/// As many hits throughout.
inline HitCurve flat_hits(double rate) {
  HitCurve curve;
  curve.slices.fill(rate);
  return curve;
}

}  // namespace gpufeed
