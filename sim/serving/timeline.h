// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace gpufeed::serving {

/// A sum over time in parts of equal length, which doubles when they are all used.
class Timeline {
 public:
  static constexpr std::size_t kParts = 128;

  void add(double at, double amount) {
    while (at >= width_ * kParts) widen();
    sums_[static_cast<std::size_t>(at / width_)] += amount;
  }
  double width() const { return width_; }
  double sum(std::size_t part) const { return sums_[part]; }

 private:
  void widen() {
    for (std::size_t i = 0; i < kParts / 2; ++i) sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
    for (std::size_t i = kParts / 2; i < kParts; ++i) sums_[i] = 0;
    width_ *= 2;
  }

  double width_ = 1.0 / 128;
  std::array<double, kParts> sums_{};
};

}  // namespace gpufeed::serving
