// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/sweep_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

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
      out_.error(ProblemCode::unknown_entry, query_.where, "the catalog has no kind \"{}\"; {}",
                 query_.kind, suggestion(query_.kind, catalog_kinds()));
      return;
    }
    const std::size_t before = out_.count();
    const Names known = names_in_conditions(query_.kind);
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

constexpr int kMostOfPart = 1000;

struct Counts {
  int first = 0;
  int last = 0;
  std::string_view of;  ///< the part's name
};

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// The whole number that `text` begins with, and takes away; one beyond all counts is one too many.
std::optional<int> take_count(std::string_view& text) {
  text = without_blanks(text);
  int count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::invalid_argument) return {};
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return error == std::errc{} ? count : kMostOfPart + 1;
}

/// "1..24 x NAME": so many of a part, one number after the other; nothing where a text is another.
std::optional<Counts> counts_of(std::string_view text) {
  const auto first = take_count(text);
  text = without_blanks(text);
  if (!first || !text.starts_with("..")) return {};
  text.remove_prefix(2);
  const auto last = take_count(text);
  text = without_blanks(text);
  if (!last || !text.starts_with('x')) return {};
  const std::string_view name = without_blanks(text.substr(1));
  if (name.empty()) return {};
  return Counts{*first, *last, name};
}

void expand_counts(Axis& axis, Diagnostics& out) {
  std::vector<Literal> values;
  for (const Literal& value : axis.values) {
    const auto counts = counts_of(value.text);
    if (!counts) {
      values.push_back(value);
    } else if (counts->first < 1 || counts->last < counts->first || counts->last > kMostOfPart) {
      out.error(
          ProblemCode::out_of_range, value.where,
          "axis {}: \"{}\" has no counts from a smaller to a larger one, 1 at least and {} at "
          "most; write them as in \"1..24 x NAME\"",
          axis.name, value.text, kMostOfPart);
    } else {
      for (int count = counts->first; count <= counts->last; ++count)
        values.push_back({fmt::format("{} x {}", count, counts->of), true, value.where});
    }
  }
  axis.values = std::move(values);
}

void refuse_doubles(const Axis& axis, Diagnostics& out) {
  if (axis.range) return;
  std::set<std::string_view> seen;
  for (const Literal& value : axis.values)
    if (!seen.insert(value.text).second)
      out.error(ProblemCode::conflict, value.where, "{} has {} twice", axis.name, value.text);
}

}  // namespace

void expand_axis(Axis& axis, const Catalog& catalog, Diagnostics& out) {
  const int given =
      int{!axis.values.empty()} + int{axis.range.has_value()} + int{axis.catalog.has_value()};
  if (given != 1) {
    out.error(ProblemCode::missing_key, axis.where,
              "axis {}: give one of values, range and catalog", axis.name);
    return;
  }
  const std::size_t before = out.count();
  expand_counts(axis, out);
  if (out.count() > before) return;
  if (axis.values.size() > kMostListed) {
    out.error(ProblemCode::out_of_range, axis.where,
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
