// SPDX-License-Identifier: Apache-2.0
#include "reports/study/cost_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpufeed {
namespace {

using Point = std::vector<std::uint32_t>;

constexpr std::size_t kPairs = 64;  ///< of values of two axes, at most

CostOf operator+(const CostOf& a, const CostOf& b) {
  return {a.price_USD + b.price_USD, a.power_W + b.power_W, a.unpriced + b.unpriced,
          a.unpowered + b.unpowered};
}
CostOf operator-(const CostOf& a, const CostOf& b) {
  return {a.price_USD - b.price_USD, a.power_W - b.power_W, a.unpriced - b.unpriced,
          a.unpowered - b.unpowered};
}

bool near(double a, double b) {
  constexpr double kRounding = 1e-9;
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Which axes belong together, found by asking for the cost of pairs of changes.
class Grouping {
 public:
  Grouping(const SweepPoints& points, const CostAt& at, const CostOf& base)
      : points_(points), at_(at), base_(base), group_(points.values.size()) {
    std::iota(group_.begin(), group_.end(), 0);
  }

  /// \return whether all that it asked for can be built
  bool find() {
    if (!find_single()) return false;
    for (std::size_t a = 0; a < axes(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (group_[a] != group_[b] && !find_pair(a, b)) return false;
    return true;
  }

  std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t leader = 0; leader < axes(); ++leader) {
      std::vector<std::size_t> members;
      for (std::size_t axis = 0; axis < axes(); ++axis)
        if (group_[axis] == leader) members.push_back(axis);
      if (!members.empty()) all.push_back(std::move(members));
    }
    return all;
  }
  std::int64_t checked() const { return checked_; }

 private:
  std::size_t axes() const { return points_.values.size(); }

  bool find_single() {
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      alone_.emplace_back();
      for (std::uint32_t value = 0; value < points_.values[axis].size(); ++value) {
        Point point(axes(), 0);
        point[axis] = value;
        const auto cost = at_(point);
        if (!cost) return false;
        alone_.back().push_back(*cost - base_);
      }
    }
    return true;
  }

  bool find_pair(std::size_t a, std::size_t b) {
    const std::size_t of_a = points_.values[a].size(), of_b = points_.values[b].size();
    const std::size_t all = of_a * of_b;
    const std::size_t stride = std::max<std::size_t>(1, all / kPairs) | 1U;
    for (std::size_t i = 0, pair = all - 1; i < std::min(all, kPairs); ++i) {
      Point point(axes(), 0);
      point[a] = static_cast<std::uint32_t>(pair / of_b);
      point[b] = static_cast<std::uint32_t>(pair % of_b);
      const auto cost = at_(point);
      if (!cost) return false;
      ++checked_;
      if (!same_cost(*cost, base_ + alone_[a][point[a]] + alone_[b][point[b]])) {
        join(a, b);
        return true;
      }
      pair = (pair + stride) % all;
    }
    return true;
  }

  void join(std::size_t a, std::size_t b) {
    const std::size_t from = group_[a], to = group_[b];
    std::ranges::replace(group_, from, to);
  }

  const SweepPoints& points_;
  const CostAt& at_;
  const CostOf& base_;
  std::vector<std::size_t> group_;  ///< of each axis: its number among groups
  std::vector<std::vector<CostOf>> alone_;
  std::int64_t checked_ = 0;
};

std::size_t combinations(const SweepPoints& points, const std::vector<std::size_t>& axes) {
  std::size_t count = 1;
  for (const std::size_t axis : axes) count *= points.values[axis].size();
  return count;
}

}  // namespace

bool same_cost(const CostOf& a, const CostOf& b) {
  return near(a.price_USD, b.price_USD) && near(a.power_W, b.power_W) &&
         near(a.unpriced, b.unpriced) && near(a.unpowered, b.unpowered);
}

std::optional<CostTables> CostTables::make(const SweepPoints& points, const CostAt& at) {
  const Point first(points.values.size(), 0);
  const auto base = at(first);
  if (!base) return {};
  Grouping grouping(points, at, *base);
  if (!grouping.find()) return {};
  CostTables tables;
  tables.base_ = *base;
  tables.checked_ = grouping.checked();
  std::size_t work = 0;
  for (const auto& axes : grouping.groups()) work += combinations(points, axes);
  if (4 * work > static_cast<std::size_t>(points.count())) return {};
  for (auto& axes : grouping.groups()) {
    Group group{axes, {}};
    for (std::size_t i = 0; i < combinations(points, axes); ++i) {
      Point point = first;
      std::size_t rest = i;
      for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        point[*axis] = static_cast<std::uint32_t>(rest % points.values[*axis].size());
        rest /= points.values[*axis].size();
      }
      const auto cost = at(point);
      if (!cost) return {};
      group.table.push_back(*cost - *base);
    }
    tables.groups_.push_back(std::move(group));
  }
  return tables;
}

CostOf CostTables::at(const SweepPoints& points, std::int64_t point) const {
  const std::size_t first = static_cast<std::size_t>(point) * points.values.size();
  CostOf sum = base_;
  for (const Group& group : groups_) {
    std::size_t index = 0;
    for (const std::size_t axis : group.axes)
      index = index * points.values[axis].size() + points.chosen[first + axis];
    sum = sum + group.table[index];
  }
  return sum;
}

}  // namespace gpufeed
