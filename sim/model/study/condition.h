// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"

namespace gpufeed {

/// A whole number, text (which may be a number with a unit) or a truth, as a file has it.
struct Literal {
  std::string text;      ///< without quotes
  bool is_text = false;  ///< stands in quotes in TOML
  Location where;
};

/// `value` in `unit` as a file has it, to 12 digits; without a unit, rounded to a whole number.
std::string literal_text(double value, const std::string& unit);

/// A number and the units that it was given in; none for a plain one, and for a percentage.
struct Measure {
  double value = 0;
  const UnitTable* units = nullptr;
};

/// What two sides of a condition come to.
using Operand = std::variant<Measure, std::string>;

/// A text such as "10 GB/s" or "16" as a number; other text, "true" and "false" stay text.
Operand operand_of(const std::string& text);
inline Operand operand_of(const Literal& value) { return operand_of(value.text); }

enum class Comparison { less, at_most, greater, at_least, equal, unequal };

/// A product of numbers and named values; or a text.
struct Side {
  Measure factor{1, nullptr};
  std::vector<std::string> names;
  std::optional<std::string> text;
};

/// `drives * 2 <= cores`, `interface = 'nvme'`.
struct Condition {
  std::string text;
  Side left;
  Comparison comparison = Comparison::equal;
  Side right;
  Location where;
};

/// What a name stands for; nothing where that is not known here.
using Lookup = std::function<std::optional<Operand>(const std::string& name)>;

/// Whether the condition holds; false where one of its values is not known.
/// \throws InputError  at the condition, where its sides cannot be compared: text with a number,
///                     numbers of different units, an order of texts
bool holds(const Condition& condition, const Lookup& lookup);

}  // namespace gpufeed
