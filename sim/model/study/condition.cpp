// SPDX-License-Identifier: Apache-2.0
#include "sim/model/study/condition.h"

#include <charconv>

namespace gpufeed {
namespace {

[[noreturn]] void refuse(const Condition& condition, const std::string& why) {
  throw InputError({{condition.where, fmt::format("\"{}\": {}", condition.text, why)}});
}

std::string kind_of(const Operand& operand) {
  const auto* measure = std::get_if<Measure>(&operand);
  if (!measure) return "text";
  return measure->units ? fmt::format("a {}", measure->units->quantity) : "a number without a unit";
}

void multiply(const Condition& condition, Measure& product, const Operand& factor) {
  const auto* measure = std::get_if<Measure>(&factor);
  if (!measure) refuse(condition, "text cannot be multiplied");
  if (measure->units && product.units) refuse(condition, "two units cannot be multiplied");
  product.value *= measure->value;
  if (measure->units) product.units = measure->units;
}

std::optional<Operand> value_of(const Condition& condition, const Side& side,
                                const Lookup& lookup) {
  if (side.text) return *side.text;
  const bool alone = side.names.size() == 1 && side.factor.value == 1 && !side.factor.units;
  if (alone) return lookup(side.names.front());
  Measure product = side.factor;
  for (const auto& name : side.names) {
    const auto factor = lookup(name);
    if (!factor) return {};
    multiply(condition, product, *factor);
  }
  return product;
}

template <class T>
bool compared(const T& left, Comparison comparison, const T& right) {
  switch (comparison) {
    case Comparison::less:
      return left < right;
    case Comparison::at_most:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::at_least:
      return left >= right;
    case Comparison::equal:
      return left == right;
    case Comparison::unequal:
      return left != right;
  }
  return false;
}

}  // namespace

std::string literal_text(double value, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.0f}", value) : fmt::format("{:.12g} {}", value, unit);
}

Operand operand_of(const std::string& text) {
  double plain = 0;
  const char* const end = text.data() + text.size();
  if (const auto [rest, error] = std::from_chars(text.data(), end, plain);
      error == std::errc{} && rest == end)
    return Measure{plain, nullptr};
  if (const auto ratio = parse_in(units_of<Ratio>(), text)) return Measure{*ratio, nullptr};
  for (const UnitTable* units :
       {&units_of<Bytes>(), &units_of<Seconds>(), &units_of<Bandwidth>(), &units_of<Rate>(),
        &units_of<Power>(), &units_of<Money>(), &units_of<FlopRate>(), &units_of<Frequency>()})
    if (const auto value = parse_in(*units, text)) return Measure{*value, units};
  return text;
}

bool holds(const Condition& condition, const Lookup& lookup) {
  const auto left = value_of(condition, condition.left, lookup);
  const auto right = value_of(condition, condition.right, lookup);
  if (!left || !right) return false;
  const auto* a = std::get_if<Measure>(&*left);
  const auto* b = std::get_if<Measure>(&*right);
  if (!a != !b || (a && a->units != b->units))
    refuse(condition,
           fmt::format("{} cannot be compared with {}", kind_of(*left), kind_of(*right)));
  if (a) return compared(a->value, condition.comparison, b->value);
  if (condition.comparison != Comparison::equal && condition.comparison != Comparison::unequal)
    refuse(condition, "texts have no order; use = or !=");
  return compared(std::get<std::string>(*left), condition.comparison,
                  std::get<std::string>(*right));
}

}  // namespace gpufeed
