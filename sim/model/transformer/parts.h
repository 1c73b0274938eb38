// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "sim/base/units.h"

namespace gpufeed {

/// What a step of a transformer goes to.
enum class StepPart {
  products,
  attention,
  passes,
  quantizing,
  recompute,
  head,
  host,
  tensor,
  experts,
  context,
  parameters,
  stages,
  bubble,
  gradients,
  optimizer
};
inline constexpr std::size_t kStepParts = static_cast<std::size_t>(StepPart::optimizer) + 1;

/// Seconds of each part.
struct StepParts {
  std::array<Seconds, kStepParts> time{};

  Seconds& operator[](StepPart part) { return time[static_cast<std::size_t>(part)]; }
  Seconds operator[](StepPart part) const { return time[static_cast<std::size_t>(part)]; }
  Seconds all() const {
    Seconds sum;
    for (const Seconds& one : time) sum += one;
    return sum;
  }
  StepParts operator*(double factor) const {
    StepParts out = *this;
    for (Seconds& one : out.time) one = one * factor;
    return out;
  }
  StepParts& operator+=(const StepParts& other) {
    for (std::size_t i = 0; i < time.size(); ++i) time[i] += other.time[i];
    return *this;
  }
};

}  // namespace gpufeed
