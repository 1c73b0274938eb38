// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/base/numbers/random.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kMostDrawn = 20000000;  ///< values, of all axes
constexpr std::int64_t kMostOpen = 1000000;    ///< of these, drawn from open ranges

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
    refuse_too_many();
    if (sweep_.sample.kind == SampleKind::full) all();
    if (sweep_.sample.kind == SampleKind::random) random();
    if (sweep_.sample.kind == SampleKind::latin_hypercube) latin_hypercube();
    if (points_.chosen.empty()) throw InputError({{sweep_.where, "the filters leave no point"}});
    return std::move(points_);
  }

 private:
  using Point = std::vector<std::uint32_t>;
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  std::size_t axes() const { return sweep_.axes.size(); }

  /// All points are in memory at once: 4 bytes a value, and of an open range each drawn text.
  void refuse_too_many() const {
    if (sweep_.sample.kind == SampleKind::full) return;
    const auto open =
        std::ranges::count_if(sweep_.axes, [](const Axis& axis) { return axis.open.has_value(); });
    const std::int64_t most =
        std::min(kMostDrawn / static_cast<std::int64_t>(axes()),
                 open == 0 ? kMostDrawn : kMostOpen / static_cast<std::int64_t>(open));
    if (*sweep_.sample.count > most)
      throw InputError(
          {{sweep_.sample.where,
            fmt::format("sample: {} points of {} axes, {} of them open ranges, are too "
                        "many to draw; at most {} are",
                        *sweep_.sample.count, axes(), open, most)}});
  }

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
    std::vector<std::uint32_t> table(2 * wanted, kFree);  // at most half full
    for (std::size_t tries = 0; drawn() < wanted; ++tries) {
      if (tries == most_tries)
        throw InputError({{sweep_.sample.where,
                           fmt::format("sample: axes and filters leave too few points: {} were "
                                       "found, {} are wanted",
                                       drawn(), wanted)}});
      Point point;
      for (std::size_t axis = 0; axis < axes(); ++axis) point.push_back(at(axis, chance()));
      if (passes(point) && is_fresh(point, table)) keep(point);
    }
  }

  std::size_t drawn() const { return points_.chosen.size() / axes(); }

  /// Whether no point that is kept is the same; then its number goes into the table, at the place
  /// of its hash or behind it.
  bool is_fresh(const Point& point, std::vector<std::uint32_t>& table) const {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::uint32_t part : point) hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
    for (std::size_t slot = hash % table.size();; slot = (slot + 1) % table.size()) {
      if (table[slot] == kFree) {
        table[slot] = static_cast<std::uint32_t>(drawn());
        return true;
      }
      const auto kept = points_.chosen.begin() + static_cast<std::ptrdiff_t>(table[slot] * axes());
      if (std::equal(point.begin(), point.end(), kept)) return false;
    }
  }

  double chance() { return random_.uniform(0, 1); }

  void latin_hypercube() {
    const auto count = static_cast<std::size_t>(*sweep_.sample.count);
    std::vector<std::uint32_t> all(count * axes());
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      const auto strata = shuffled(count);
      for (std::size_t i = 0; i < count; ++i)
        all[i * axes() + axis] =
            at(axis, (static_cast<double>(strata[i]) + chance()) / static_cast<double>(count));
    }
    for (auto one = all.begin(); one != all.end(); one += static_cast<std::ptrdiff_t>(axes()))
      if (const Point point(one, one + static_cast<std::ptrdiff_t>(axes())); passes(point))
        keep(point);
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
