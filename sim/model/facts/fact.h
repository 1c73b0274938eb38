// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/labels/label.h"
#include "sim/base/units.h"

namespace gpufeed {

/// An argument of a fact; its unit is the ending of its name. A list holds ids of parts.
using FactValue = std::variant<std::int64_t, double, std::string, std::vector<std::string>>;

/// The names of a code's arguments, in order; the last ones may be empty.
using ArgumentNames = std::array<std::string_view, 5>;

constexpr std::size_t count_of(const ArgumentNames& names) {
  std::size_t count = 0;
  while (count < names.size() && !names[count].empty()) ++count;
  return count;
}

/// How facts of one code look in JSON.
template <class Code>
struct FactForm {
  Code code;
  std::string_view name;
  ArgumentNames arguments = {};
};

/// The forms of the codes of an enumeration, in the order of its enumerators: `all`.
template <class Code>
struct FactForms;

template <class Code>
concept FactCode = requires {
  FactForms<Code>::all;
};

/// Whether a table has a row for each code from the first to `last`, in order.
template <class Rows, class Code>
constexpr bool has_all(const Rows& rows, Code last) {
  if (rows.size() != static_cast<std::size_t>(last) + 1) return false;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].code != static_cast<Code>(i)) return false;
  return true;
}

template <FactCode Code>
constexpr const FactForm<Code>& form_of(Code code) {
  return FactForms<Code>::all[static_cast<std::size_t>(code)];
}

/// Something that a result says: what, and with which arguments. It is put into words by
/// `reports/writers/phrase_book.h` alone; programs compare codes.
template <FactCode Code>
struct Fact {
  Code code{};
  std::vector<FactValue> arguments;

  bool operator==(const Fact&) const = default;
};

namespace fact_values {
inline FactValue of(std::int64_t value) { return value; }
inline FactValue of(int value) { return std::int64_t{value}; }
inline FactValue of(double value) { return value; }
inline FactValue of(std::string_view value) { return std::string(value); }
inline FactValue of(std::vector<std::string> value) { return value; }
FactValue of(const Label& label);
FactValue of(const std::vector<Label>& labels);
template <class Unit>
FactValue of(Quantity<Unit> value) {
  return value.value;
}
}  // namespace fact_values

/// `fact<WarningCode::no_checkpoint>(steps)`: all arguments of the code, in order.
template <auto code, class... Values>
Fact<std::remove_cv_t<decltype(code)>> fact(Values&&... values) {
  static_assert(sizeof...(Values) == count_of(form_of(code).arguments),
                "one value for each argument");
  return {code, {fact_values::of(std::forward<Values>(values))...}};
}

}  // namespace gpufeed
