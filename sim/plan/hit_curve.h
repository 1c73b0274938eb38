// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gpufeed {

/// The share of its samples that an epoch finds in the page cache, from its beginning to its end.
struct HitCurve {
  static constexpr std::size_t kSlices = 20;
  using Slices = std::array<double, kSlices>;

  Slices slices{};  ///< of equally many samples, in the order of reading; the mean of all nodes
  std::vector<Slices> unlike;  ///< of nodes with so many GPUs, by GpuFeed::finds; empty: all alike

  /// Of the whole epoch.
  double mean() const { return mean_of(slices); }
  /// What the nodes of that place in `unlike` find in it.
  double mean(std::size_t finds) const { return mean_of(of(finds)); }
  /// \param position  in the epoch: the share of it that has been read, from 0 to below 1
  double at(double position, std::size_t finds) const {
    const auto slice = static_cast<std::size_t>(position * static_cast<double>(kSlices));
    return of(finds)[std::min(slice, kSlices - 1)];
  }
  bool flat() const { return is_flat(slices) && std::ranges::all_of(unlike, is_flat); }

  /// Adds so many times what another finds, of as many kinds of nodes (or to a curve of zeros).
  void add(const HitCurve& other, double times) {
    unlike.resize(other.unlike.size());
    add_to(slices, other.slices, times);
    for (std::size_t i = 0; i < unlike.size(); ++i) add_to(unlike[i], other.unlike[i], times);
  }
  /// As many hits throughout.
  HitCurve flattened() const {
    HitCurve curve = *this;
    curve.slices.fill(mean());
    for (Slices& some : curve.unlike) some.fill(mean_of(some));
    return curve;
  }

  bool operator==(const HitCurve&) const = default;

 private:
  static double mean_of(const Slices& slices) {
    return std::accumulate(slices.begin(), slices.end(), 0.0) / static_cast<double>(kSlices);
  }
  static bool is_flat(const Slices& slices) {
    return std::ranges::count(slices, slices.front()) == std::ssize(slices);
  }
  static void add_to(Slices& sum, const Slices& slices, double times) {
    for (std::size_t i = 0; i < kSlices; ++i) sum[i] += slices[i] * times;
  }
  const Slices& of(std::size_t finds) const { return unlike.empty() ? slices : unlike[finds]; }
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
