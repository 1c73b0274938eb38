// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/conditions.h"

#include <algorithm>
#include <array>

namespace gpufeed {
namespace {

struct Mark {
  std::string_view sign;
  Comparison comparison;
};
// Longer signs first: "<=" begins with "<".
constexpr std::array kMarks{Mark{"<=", Comparison::at_most}, Mark{">=", Comparison::at_least},
                            Mark{"!=", Comparison::unequal}, Mark{"<", Comparison::less},
                            Mark{">", Comparison::greater},  Mark{"=", Comparison::equal}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Where the sign of comparison stands, outside of quotes.
std::pair<std::size_t, const Mark*> find_mark(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    for (const Mark& mark : kMarks)
      if (text.substr(i).starts_with(mark.sign)) return {i, &mark};
  }
  return {0, nullptr};
}

bool is_name(std::string_view word) {
  constexpr std::string_view kMore = "_.[]-";
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !word.empty() && letter(word.front()) && std::ranges::all_of(word, [&](char c) {
    return letter(c) || digit(c) || kMore.find(c) != std::string_view::npos;
  });
}

/// What is wrong with a factor of a product; empty where it was taken.
std::string take_factor(std::string_view word, Side& side) {
  if (is_name(word)) {
    side.names.emplace_back(word);
    return "";
  }
  const Operand operand = operand_of(std::string(word));
  const auto* measure = std::get_if<Measure>(&operand);
  if (!measure)
    return fmt::format("\"{}\" is no name and no number with a unit; text stands in single quotes",
                       word);
  if (measure->units && side.factor.units) return "two units cannot be multiplied";
  side.factor.value *= measure->value;
  if (measure->units) side.factor.units = measure->units;
  return "";
}

/// What is wrong with a side; empty where it was taken.
std::string take_side(std::string_view text, Side& side) {
  text = trimmed(text);
  if (text.empty()) return "a side of the comparison is missing";
  if (text == "true" || text == "false") {
    side.text = text;
    return "";
  }
  if (text.size() >= 2 && text.starts_with('\'') && text.find('\'', 1) == text.size() - 1) {
    side.text = text.substr(1, text.size() - 2);
    return "";
  }
  while (true) {
    const std::size_t star = text.find('*');
    if (auto fault = take_factor(trimmed(text.substr(0, star)), side); !fault.empty()) return fault;
    if (star == std::string_view::npos) return "";
    text.remove_prefix(star + 1);
  }
}

}  // namespace

std::optional<Condition> parse_condition(const std::string& text, const std::string& place,
                                         const Location& where, Diagnostics& out) {
  Condition condition{text, {}, Comparison::equal, {}, where};
  const auto [position, mark] = find_mark(text);
  std::string fault = "there is no <=, >=, <, >, = or !=";
  if (mark) {
    condition.comparison = mark->comparison;
    fault = take_side(text.substr(0, position), condition.left);
    if (fault.empty())
      fault = take_side(text.substr(position + mark->sign.size()), condition.right);
  }
  if (fault.empty()) return condition;
  out.error(ProblemCode::wrong_type, where,
            "{} must be a comparison in quotes, such as \"drives * 2 <= cores\"; found \"{}\": {}",
            place, text, fault);
  return {};
}

void check_names(const Condition& condition, const Names& known, Diagnostics& out) {
  for (const Side* side : {&condition.left, &condition.right})
    for (const auto& name : side->names)
      if (!std::ranges::count(known, name))
        out.error(ProblemCode::unknown_part, condition.where, "\"{}\": there is no \"{}\" here; {}",
                  condition.text, name, suggestion(name, known));
}

}  // namespace gpufeed
