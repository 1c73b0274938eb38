// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/labels/label.h"
#include "sim/base/units.h"

namespace gpufeed {

/// What a quantity is measured in. none: a number, of what its name says.
enum class FactUnit : std::uint8_t { none, bytes, seconds, bytes_per_s, bits_per_s };

/// The ending that the name of such a quantity has in JSON.
constexpr std::string_view ending_of(FactUnit unit) {
  constexpr std::array<std::string_view, 5> kEndings{"", "_B", "_s", "_Bps", "_bps"};
  return kEndings[static_cast<std::size_t>(unit)];
}

struct FactQuantity {
  double value = 0;
  FactUnit unit = FactUnit::none;

  bool operator==(const FactQuantity&) const = default;
};

/// An argument of a fact. A list holds ids of parts.
using FactValue =
    std::variant<std::int64_t, double, FactQuantity, std::string, std::vector<std::string>>;

/// What an argument is called, and what it is measured in.
struct Argument {
  std::string_view name = {};
  FactUnit unit = FactUnit::none;

  constexpr Argument() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a name alone is a number of what it says
  constexpr Argument(const char* called, FactUnit in = FactUnit::none) : name(called), unit(in) {}

  /// Whether the name ends as the unit says.
  constexpr bool fits() const {
    if (unit != FactUnit::none) return name.ends_with(ending_of(unit));
    return !name.ends_with("_B") && !name.ends_with("_Bps") && !name.ends_with("_bps") &&
           (!name.ends_with("_s") || name.ends_with("_per_s"));
  }
};

/// A code's arguments, in order; the last ones may be empty.
using Arguments = std::array<Argument, 8>;

constexpr std::size_t count_of(const Arguments& arguments) {
  std::size_t count = 0;
  while (count < arguments.size() && !arguments[count].name.empty()) ++count;
  return count;
}

/// How facts of one code look in JSON.
template <class Code>
struct FactForm {
  Code code;
  std::string_view name;
  Arguments arguments = {};
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

/// Whether the names of all arguments end in their units.
template <class Rows>
constexpr bool units_fit(const Rows& forms) {
  for (const auto& form : forms)
    for (const Argument& argument : form.arguments)
      if (!argument.fits()) return false;
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

/// Bits a second, as ports of networks are sold by.
struct BitRate {
  double value = 0;
};

namespace fact_values {
/// What a value of this type is held in.
template <class T>
inline constexpr FactUnit unit_of = std::same_as<T, Bytes>       ? FactUnit::bytes
                                    : std::same_as<T, Seconds>   ? FactUnit::seconds
                                    : std::same_as<T, Bandwidth> ? FactUnit::bytes_per_s
                                    : std::same_as<T, BitRate>   ? FactUnit::bits_per_s
                                                                 : FactUnit::none;

inline FactValue of(std::int64_t value) { return value; }
inline FactValue of(int value) { return std::int64_t{value}; }
inline FactValue of(double value) { return value; }
inline FactValue of(std::string_view value) { return std::string(value); }
inline FactValue of(std::vector<std::string> value) { return value; }
FactValue of(const Label& label);
FactValue of(const std::vector<Label>& labels);
template <class Unit>
FactValue of(Quantity<Unit> value) {
  if constexpr (unit_of<Quantity<Unit>> == FactUnit::none)
    return value.value;
  else
    return FactQuantity{value.value, unit_of<Quantity<Unit>>};
}
inline FactValue of(BitRate value) { return FactQuantity{value.value, FactUnit::bits_per_s}; }
}  // namespace fact_values

/// Whether each value is in the unit of its argument.
template <auto code, class... Values, std::size_t... kAt>
consteval bool units_match(std::index_sequence<kAt...> /*places*/) {
  return (
      (fact_values::unit_of<std::remove_cvref_t<Values>> == form_of(code).arguments[kAt].unit) &&
      ...);
}

/// `fact<WarningCode::no_checkpoint>(steps)`: all arguments of the code, in order.
template <auto code, class... Values>
Fact<std::remove_cv_t<decltype(code)>> fact(Values&&... values) {
  static_assert(sizeof...(Values) == count_of(form_of(code).arguments),
                "one value for each argument");
  static_assert(units_match<code, Values...>(std::index_sequence_for<Values...>()),
                "each value in the unit of its argument");
  return {code, {fact_values::of(std::forward<Values>(values))...}};
}

}  // namespace gpufeed
