// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/sweep_form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "sim/load/read/toml_text.h"
#include "sim/load/study/sweep_axes.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Numbers, true and false stand as they are; all else is text.
Literal literal_of(const std::string& value) {
  const std::string bare = without_quotes(value);
  double number = 0;
  const char* const end = bare.data() + bare.size();
  const auto [rest, error] = std::from_chars(bare.data(), end, number);
  const bool is_number = error == std::errc{} && rest == end;
  const bool plain = is_number || bare == "true" || bare == "false";
  return {bare, bare != value || !plain, {}};
}

bool takes_numbers(ValueKind kind) {
  return kind == ValueKind::whole || kind == ValueKind::number || kind == ValueKind::quantity;
}

struct Number {
  double value = 0;
  std::string unit;
};

/// Its present one, where it takes numbers.
std::optional<Number> number_of(const Parameter& parameter) {
  if (!takes_numbers(parameter.value.kind)) return {};
  const std::string bare = without_quotes(parameter.now);
  Number out;
  const char* const end = bare.data() + bare.size();
  const auto [rest, error] = std::from_chars(bare.data(), end, out.value);
  if (error != std::errc{} || !(out.value > 0)) return {};
  out.unit = trimmed({rest, static_cast<std::size_t>(end - rest)});
  return out;
}

/// A quarter of the present number to four times as much.
std::string around(const Number& now) {
  constexpr std::array kFactors{0.25, 0.5, 1.0, 2.0, 4.0};
  std::string list;
  std::set<std::string> told;
  for (const double factor : kFactors) {
    const double value =
        now.unit.empty() ? std::max(1.0, std::floor(now.value * factor)) : now.value * factor;
    if (now.unit == "%" && value > 100) continue;
    const std::string text = literal_text(value, now.unit);
    if (told.insert(text).second) list += (list.empty() ? "" : ", ") + text;
  }
  return list;
}

/// As it is filled in: a range, or values.
Axis filled_in(const AxisForm& form, Diagnostics& wrong) {
  Axis axis;
  axis.name = form.parameter.path;
  axis.path = own_path(axis.name);
  axis.where.file = "the sweep";
  if (form.range) {
    AxisRange range;
    range.where = axis.where;
    range.from = literal_of(trimmed(form.from));
    range.to = literal_of(trimmed(form.to));
    std::int64_t count = 0;
    const std::string text = trimmed(form.count);
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, count).ptr != end || count < 2 || count > 1000)
      wrong.error(axis.where, "how many values: \"{}\" is no whole number from 2 to 1000", text);
    range.count = count;
    range.spacing = form.geometric ? Spacing::geometric : Spacing::linear;
    axis.range = range;
  } else {
    for (const std::string& item : items_of(form.list)) axis.values.push_back(literal_of(item));
    if (axis.values.empty()) wrong.error(axis.where, "{}: give at least one value", axis.name);
  }
  return axis;
}

}  // namespace

std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (std::string item = trimmed(std::string_view(list).substr(at, end - at)); !item.empty())
      items.push_back(std::move(item));
    at = end + 1;
  }
  return items;
}

AxisForm suggested_form(const Parameter& parameter) {
  AxisForm form;
  form.parameter = parameter;
  if (parameter.value.kind == ValueKind::truth) {
    form.list = "false, true";
  } else if (parameter.value.kind == ValueKind::word) {
    form.list = fmt::format("{}", fmt::join(parameter.value.words, ", "));
  } else if (const auto number = number_of(parameter)) {
    form.list = around(*number);
    form.from = literal_text(number->value, number->unit);
    form.to = literal_text(4 * number->value, number->unit);
  } else {
    form.list = without_quotes(parameter.now);
  }
  return form;
}

std::string axis_toml(const AxisForm& form, Diagnostics& wrong) {
  const Axis axis = filled_in(form, wrong);
  std::string out = fmt::format("[[axis]]\npath = {}\n", toml_value(axis.path));
  if (axis.range)
    return out + fmt::format("range = {{ from = {}, to = {}, count = {}, spacing = \"{}\" }}\n",
                             toml_value(axis.range->from), toml_value(axis.range->to),
                             axis.range->count.value_or(0), name_of(axis.range->spacing));
  std::vector<std::string> values;
  for (const Literal& value : axis.values) values.push_back(toml_value(value));
  return out + fmt::format("values = [{}]\n", fmt::join(values, ", "));
}

SweepAxis axis_of(const AxisForm& form, const Catalog& catalog) {
  Diagnostics wrong;
  Axis axis = filled_in(form, wrong);
  wrong.throw_if_any();
  expand_axis(axis, catalog, wrong);
  wrong.throw_if_any();
  SweepAxis out{form.parameter, {}};
  for (const Literal& value : axis.values) out.values.push_back(toml_value(value));
  return out;
}

}  // namespace gpufeed::ui
