// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/sweep_axes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "sim/load/load.h"
#include "sim/load/read/conditions.h"

namespace gpufeed {
namespace {

constexpr double kMostValues = 1e6;
constexpr std::size_t kMostListed = 10000;

struct Number {
  double value = 0;
  std::string unit;
};

/// A literal that is a whole number, or a number with a unit.
std::optional<Number> number_of(const Literal& literal) {
  Number number;
  const std::string& text = literal.text;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc{} || !std::isfinite(number.value)) return {};
  number.unit.assign(rest, text.data() + text.size());
  number.unit.erase(0, number.unit.find_first_not_of(' '));
  if (number.unit.empty() == literal.is_text) return {};
  return number;
}

class RangeExpander {
 public:
  RangeExpander(Axis& axis, Diagnostics& out) : axis_(axis), range_(*axis.range), out_(out) {}

  void expand() {
    const auto from = number_of(range_.from);
    const auto to = number_of(range_.to);
    if (!from || !to || from->unit != to->unit)
      return error("from and to must be two whole numbers, or two numbers with the same unit");
    unit_ = from->unit;
    low_ = from->value;
    high_ = to->value;
    if (low_ >= high_) return error("from must be less than to");
    if (geometric() && low_ <= 0) return error("a geometric range must begin above 0");
    if (range_.step && range_.count) return error("give a step or a count, not both");
    if (range_.step) return by_step(*range_.step);
    if (range_.count) return by_count(*range_.count);
    axis_.open = OpenRange{low_, high_, unit_, range_.spacing};
  }

 private:
  bool geometric() const { return range_.spacing == Spacing::geometric; }

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    out_.error(range_.where, "the range of {}: {}", axis_.name,
               fmt::format(format, std::forward<Args>(args)...));
  }

  void by_step(const Literal& literal) {
    const auto step = number_of(literal);
    if (geometric()) return error("a geometric range takes a count, not a step");
    if (!step || step->unit != unit_ || step->value <= 0)
      return error("step must be a number above 0 in the unit of from and to");
    const double count = std::floor((high_ - low_) / step->value + 1e-9) + 1;
    if (count > kMostValues) return error("more than 1,000,000 values");
    for (double i = 0; i < count; ++i) add(low_ + i * step->value);
  }

  void by_count(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(count - 1);
      add(geometric() ? low_ * std::pow(high_ / low_, part) : low_ + (high_ - low_) * part);
    }
  }

  /// Whole numbers that round to the same one are one value.
  void add(double value) {
    std::string text = literal_text(value, unit_);
    if (axis_.values.empty() || axis_.values.back().text != text)
      axis_.values.push_back({std::move(text), !unit_.empty(), range_.where});
  }

  Axis& axis_;
  const AxisRange& range_;
  Diagnostics& out_;
  std::string unit_;
  double low_ = 0;
  double high_ = 0;
};

class QueryExpander {
 public:
  QueryExpander(Axis& axis, const Catalog& catalog, Diagnostics& out)
      : axis_(axis), query_(*axis.catalog), catalog_(catalog), out_(out) {}

  void expand() {
    if (!std::ranges::count(catalog_kinds(), query_.kind)) {
      out_.error(query_.where, "the catalog has no kind \"{}\"; {}", query_.kind,
                 suggestion(query_.kind, catalog_kinds()));
      return;
    }
    const std::size_t before = out_.count();
    const Names known = keys_of_kind(query_.kind);
    for (const auto& condition : query_.meets) check_names(condition, known, out_);
    if (out_.count() > before) return;
    for (auto& entry : entries_of_kind(catalog_, query_.kind, query_.meets, out_))
      axis_.values.push_back({std::move(entry.name), true, query_.where});
    if (axis_.values.empty() && out_.count() == before)
      out_.error(query_.where, "no {} of the catalog meets these conditions", query_.kind);
  }

 private:
  Axis& axis_;
  const CatalogQuery& query_;
  const Catalog& catalog_;
  Diagnostics& out_;
};

void refuse_doubles(const Axis& axis, Diagnostics& out) {
  if (axis.range) return;
  std::set<std::string_view> seen;
  for (const Literal& value : axis.values)
    if (!seen.insert(value.text).second)
      out.error(value.where, "{} has {} twice", axis.name, value.text);
}

}  // namespace

void expand_axis(Axis& axis, const Catalog& catalog, Diagnostics& out) {
  const int given =
      int{!axis.values.empty()} + int{axis.range.has_value()} + int{axis.catalog.has_value()};
  if (given != 1) {
    out.error(axis.where, "axis {}: give one of values, range and catalog", axis.name);
    return;
  }
  if (axis.values.size() > kMostListed) {
    out.error(axis.where,
              "axis {}: a list of {} values; at most {} are tried one by one, so take a "
              "range",
              axis.name, axis.values.size(), kMostListed);
    return;
  }
  if (axis.range) RangeExpander(axis, out).expand();
  if (axis.catalog) QueryExpander(axis, catalog, out).expand();
  refuse_doubles(axis, out);
}

}  // namespace gpufeed
