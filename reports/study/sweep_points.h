// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/study/sweep.h"

namespace gpufeed {

/// The points of a sweep, numbered from 0: what each axis takes, and which of that a point has.
struct SweepPoints {
  std::vector<std::vector<Literal>> values;  ///< by axis
  std::vector<std::uint32_t> chosen;         ///< of each point in turn, by axis: which of `values`

  std::int64_t count() const { return static_cast<std::int64_t>(chosen.size() / values.size()); }
  const Literal& value(std::int64_t point, std::size_t axis) const {
    return values[axis][chosen[static_cast<std::size_t>(point) * values.size() + axis]];
  }
};

/// The points that the sweep's filters let through.
/// - full: every combination, the last axis fastest.
/// - random: `sample.count` combinations, each once, all equally likely; of an open range any
/// value.
/// - latin-hypercube: `sample.count` draws, of which each axis sees one in each of so many equal
///   parts of its range (of its list: each value as often as the others, but for one); then
///   filters.
/// The same sweep gives the same points on every machine.
/// \throws InputError  where filters cannot be evaluated, or leave no point, or fewer than a random
///                     sample wants
SweepPoints make_points(const Sweep& sweep);

}  // namespace gpufeed
