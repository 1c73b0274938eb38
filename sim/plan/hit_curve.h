// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace gpufeed {

/// The share of its samples that an epoch finds in the page cache, from its beginning to its end;
/// and, where drives are a cache of a store, there.
struct HitCurve {
  static constexpr std::size_t kSlices = 20;
  /// Of equally many samples, in the order of reading.
  using Slices = std::array<double, kSlices>;

  Slices slices{};     ///< found in the page cache
  Slices on_drives{};  ///< not there, but in a cache on drives
  Slices written{};    ///< in neither: read from the store, and written to that cache

  /// Of the whole epoch.
  double mean() const { return mean(slices); }
  double mean_on_drives() const { return mean(on_drives); }
  double mean_written() const { return mean(written); }
  /// \param position  in the epoch: the share of it that has been read, from 0 to below 1
  double at(double position) const { return slices[slice_at(position)]; }
  static std::size_t slice_at(double position) {
    const auto slice = static_cast<std::size_t>(position * static_cast<double>(kSlices));
    return std::min(slice, kSlices - 1);
  }
  bool flat() const { return flat(slices) && flat(on_drives) && flat(written); }
  /// What is found without the store: the share that grows while caches fill.
  double found() const { return mean() + mean_on_drives(); }
  /// As much throughout.
  HitCurve flattened() const {
    HitCurve out;
    out.slices.fill(mean());
    out.on_drives.fill(mean_on_drives());
    out.written.fill(mean_written());
    return out;
  }
  /// \param weight  of the other
  void mix_in(const HitCurve& other, double weight) {
    for (Slices HitCurve::*part : {&HitCurve::slices, &HitCurve::on_drives, &HitCurve::written})
      for (std::size_t i = 0; i < kSlices; ++i)
        (this->*part)[i] += ((other.*part)[i] - (this->*part)[i]) * weight;
  }

  bool operator==(const HitCurve&) const = default;

 private:
  static double mean(const Slices& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(kSlices);
  }
  static bool flat(const Slices& of) {
    return std::ranges::count(of, of.front()) == std::ssize(of);
  }
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
