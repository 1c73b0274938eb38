// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gpufeed {

/// The shares of its samples that an epoch finds in the page cache and, where drives are a cache of
/// a store, there, from its beginning to its end.
struct NodeHits {
  static constexpr std::size_t kSlices = 20;
  /// Of equally many samples, in the order of reading.
  using Slices = std::array<double, kSlices>;

  Slices slices{};     ///< found in the page cache
  Slices on_drives{};  ///< not there, but in a cache on drives
  Slices written{};    ///< in neither: read from the store, and written to that cache

  /// Of the whole epoch.
  double mean() const { return mean_of(slices); }
  double mean_on_drives() const { return mean_of(on_drives); }
  double mean_written() const { return mean_of(written); }
  /// What is found without the store: the share that grows while caches fill.
  double found() const { return mean() + mean_on_drives(); }
  /// \param position  in the epoch: the share of it that has been read, from 0 to below 1
  static std::size_t slice_at(double position) {
    const auto slice = static_cast<std::size_t>(position * static_cast<double>(kSlices));
    return std::min(slice, kSlices - 1);
  }
  bool flat() const {
    return std::ranges::all_of(all(), [](const Slices* some) {
      return std::ranges::count(*some, some->front()) == std::ssize(*some);
    });
  }
  void flatten() {
    for (Slices* some : all()) some->fill(mean_of(*some));
  }
  /// Adds so many times what others find.
  void add(const NodeHits& other, double times) {
    const auto others = other.all();
    for (std::size_t part = 0; part < others.size(); ++part)
      for (std::size_t i = 0; i < kSlices; ++i) (*all()[part])[i] += (*others[part])[i] * times;
  }

  bool operator==(const NodeHits&) const = default;

 private:
  std::array<Slices*, 3> all() { return {&slices, &on_drives, &written}; }
  std::array<const Slices*, 3> all() const { return {&slices, &on_drives, &written}; }
  static double mean_of(const Slices& slices) {
    return std::accumulate(slices.begin(), slices.end(), 0.0) / static_cast<double>(kSlices);
  }
};

/// What all nodes find in the mean, and each kind of them where they have unlike numbers of GPUs.
struct HitCurve : NodeHits {
  std::vector<NodeHits> unlike;  ///< by GpuFeed::finds; empty: all nodes find the same

  const NodeHits& of(std::size_t finds) const { return unlike.empty() ? *this : unlike[finds]; }
  bool flat() const { return NodeHits::flat() && std::ranges::all_of(unlike, &NodeHits::flat); }
  /// As much throughout.
  HitCurve flattened() const {
    HitCurve out = *this;
    out.flatten();
    for (NodeHits& some : out.unlike) some.flatten();
    return out;
  }
  /// Adds so many times what others find, of as many kinds of nodes (or to a curve of zeros).
  void add(const HitCurve& other, double times) {
    unlike.resize(other.unlike.size());
    NodeHits::add(other, times);
    for (std::size_t i = 0; i < unlike.size(); ++i) unlike[i].add(other.unlike[i], times);
  }
  /// \param weight  of the other
  void mix_in(const HitCurve& other, double weight) {
    HitCurve change = other;
    change.add(*this, -1);
    add(change, weight);
  }

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
