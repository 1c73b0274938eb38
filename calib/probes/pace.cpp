// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/pace.h"

#include <algorithm>

namespace gpufeed {
namespace {

constexpr Seconds kShortest{0.2};
constexpr Seconds kLongest{5};

}  // namespace

void Pace::expect(std::size_t settings, Seconds beside) {
  const auto count = static_cast<double>(settings);
  settings_ += count;
  beside_ += beside * count;
}

Seconds Pace::least() const { return kShortest * settings_ + beside_; }

Seconds Pace::about() const { return std::min(all_, kLongest * settings_ + beside_); }

Seconds Pace::next(Seconds passed, std::size_t settings, Seconds beside) {
  const Seconds left = all_ - passed - beside_;
  const Seconds each = std::clamp(left / std::max(1.0, settings_), kShortest, kLongest);
  const auto count = static_cast<double>(settings);
  settings_ -= count;
  beside_ = beside_ - beside * count;
  return each;
}

}  // namespace gpufeed
