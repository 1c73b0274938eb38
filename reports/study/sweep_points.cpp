// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sim/base/random.h"

namespace gpufeed {
namespace {

/// The value of an open range at `part` of the way, 0 to 1.
std::string text_at(const OpenRange& range, double part) {
  const double low = range.low;
  const double high = range.high;
  if (range.spacing == Spacing::geometric)
    return literal_text(low * std::pow(high / low, part), range.unit);
  if (!range.unit.empty()) return literal_text(low + (high - low) * part, range.unit);
  // Each whole number has an equal share.
  return literal_text(std::min(high, std::floor(low + (high - low + 1) * part)), "");
}

class PointMaker {
 public:
  explicit PointMaker(const Sweep& sweep)
      : sweep_(sweep), random_(static_cast<std::uint64_t>(sweep.sample.seed)) {
    for (const Axis& axis : sweep.axes) {
      points_.values.push_back(axis.values);
      known_.emplace_back();
    }
    find_filtered_axes();
  }

  SweepPoints make() {
    if (sweep_.sample.kind == SampleKind::full) all();
    if (sweep_.sample.kind == SampleKind::random) random();
    if (sweep_.sample.kind == SampleKind::latin_hypercube) latin_hypercube();
    if (points_.chosen.empty()) throw InputError({{sweep_.where, "the filters leave no point"}});
    return std::move(points_);
  }

 private:
  using Point = std::vector<std::uint32_t>;

  std::size_t axes() const { return sweep_.axes.size(); }

  void find_filtered_axes() {
    for (std::size_t i = 0; i < axes(); ++i) axis_of_[sweep_.axes[i].name] = i;
  }

  bool passes(const Point& point) const {
    const Lookup lookup = [&](const std::string& name) -> std::optional<Operand> {
      const std::size_t axis = axis_of_.at(name);
      return operand_of(points_.values[axis][point[axis]]);
    };
    return std::ranges::all_of(sweep_.filters,
                               [&](const Condition& filter) { return holds(filter, lookup); });
  }

  void keep(const Point& point) {
    points_.chosen.insert(points_.chosen.end(), point.begin(), point.end());
  }

  void all() {
    Point point(axes(), 0);
    while (true) {
      if (passes(point)) keep(point);
      std::size_t axis = axes();
      while (axis > 0 && ++point[axis - 1] == points_.values[axis - 1].size()) point[--axis] = 0;
      if (axis == 0) return;
    }
  }

  /// The number of the axis's value at `part` of its way, 0 to 1.
  std::uint32_t at(std::size_t axis, double part) {
    const Axis& one = sweep_.axes[axis];
    if (one.open) return number_of(axis, text_at(*one.open, part));
    const auto count = static_cast<double>(one.values.size());
    return static_cast<std::uint32_t>(std::min(count - 1, std::floor(part * count)));
  }

  std::uint32_t number_of(std::size_t axis, const std::string& text) {
    const auto next = static_cast<std::uint32_t>(points_.values[axis].size());
    const auto [it, fresh] = known_[axis].try_emplace(text, next);
    const Axis& one = sweep_.axes[axis];
    if (fresh) points_.values[axis].push_back({text, !one.open->unit.empty(), one.range->where});
    return it->second;
  }

  void random() {
    const auto wanted = static_cast<std::size_t>(*sweep_.sample.count);
    const std::size_t most_tries = 100 * wanted + 10000;
    std::set<Point> drawn;
    for (std::size_t tries = 0; drawn.size() < wanted; ++tries) {
      if (tries == most_tries)
        throw InputError({{sweep_.sample.where,
                           fmt::format("sample: axes and filters leave too few points: {} were "
                                       "found, {} are wanted",
                                       drawn.size(), wanted)}});
      Point point;
      for (std::size_t axis = 0; axis < axes(); ++axis) point.push_back(at(axis, chance()));
      if (passes(point) && drawn.insert(point).second) keep(point);
    }
  }

  double chance() { return random_.uniform(0, 1); }

  void latin_hypercube() {
    const auto count = static_cast<std::size_t>(*sweep_.sample.count);
    std::vector<Point> points(count);
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      const auto strata = shuffled(count);
      for (std::size_t i = 0; i < count; ++i)
        points[i].push_back(
            at(axis, (static_cast<double>(strata[i]) + chance()) / static_cast<double>(count)));
    }
    for (const Point& point : points)
      if (passes(point)) keep(point);
  }

  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t left = count; left > 1; --left)
      std::swap(
          order[left - 1],
          order[static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(left) - 1))]);
    return order;
  }

  const Sweep& sweep_;
  Random random_;
  SweepPoints points_;
  std::map<std::string, std::size_t> axis_of_;
  std::vector<std::map<std::string, std::uint32_t>> known_;  ///< drawn texts, by axis
};

}  // namespace

SweepPoints make_points(const Sweep& sweep) { return PointMaker(sweep).make(); }

}  // namespace gpufeed
