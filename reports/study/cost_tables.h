// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reports/study/sweep_points.h"

namespace gpufeed {

/// What a choice costs and draws, and how many parts are in neither sum, as nobody knows theirs.
struct CostOf {
  double price_USD = 0;
  double power_W = 0;
  double unpriced = 0;   ///< parts without a price
  double unpowered = 0;  ///< parts without a power
};
/// Nothing where it cannot be built.
using CostAt = std::function<std::optional<CostOf>(const std::vector<std::uint32_t>& point)>;

/// Price and power of very many points from those of few: a bill is a sum, so that axes that change
/// different lines of it add up. Axes are put into groups: two whose joint change costs another sum
/// than their changes alone are in one, and each group has a table of all its combinations.
/// `checked` is the number of pairs of values on which this was found, or not, to be so; whoever
/// works out a point's cost later compares it with `at`.
class CostTables {
 public:
  /// \param at  works out the cost of a point, given what it takes on each axis
  /// \return nothing where that would not be cheaper than working out each, or some combination
  /// that
  ///         it needs cannot be built
  static std::optional<CostTables> make(const SweepPoints& points, const CostAt& at);

  CostOf at(const SweepPoints& points, std::int64_t point) const;
  std::int64_t checked() const { return checked_; }

 private:
  struct Group {
    std::vector<std::size_t> axes;
    std::vector<CostOf> table;  ///< over the base; the last axis varies fastest
  };

  CostOf base_;
  std::vector<Group> groups_;
  std::int64_t checked_ = 0;
};

/// Whether two costs are the same but for rounding.
bool same_cost(const CostOf& a, const CostOf& b);

}  // namespace gpufeed
