// SPDX-License-Identifier: Apache-2.0
#include "reports/study/verdict.h"

#include <algorithm>

#include "reports/writers/result_cells.h"
#include "sim/base/nearest.h"

namespace gpufeed {
namespace {

bool is_plain(const Side& side) {
  return !side.text && side.names.size() == 1 && side.factor.value == 1 && !side.factor.units;
}

bool wants_less(Comparison comparison) {
  return comparison == Comparison::less || comparison == Comparison::at_most;
}
bool wants_more(Comparison comparison) {
  return comparison == Comparison::greater || comparison == Comparison::at_least;
}

bool all_exact(const Side& side) {
  return std::ranges::all_of(
      side.names, [](const auto& name) { return foresight_of(name) == Foresight::exact; });
}

std::vector<std::optional<Operand>> values_of(const std::vector<Cell>& cells, Studied what,
                                              const std::vector<std::string>& keys) {
  const auto& columns = result_columns(what);
  std::vector<std::optional<Operand>> values;
  values.reserve(keys.size());
  for (const auto& key : keys)
    values.push_back(operand_of(cells[static_cast<std::size_t>(
        std::ranges::find(columns, key, &ResultColumn::name) - columns.begin())]));
  return values;
}

}  // namespace

Foresight foresight_of(const std::string& key) {
  const ResultColumn* const column = find_column(key);
  return column ? column->foresight : Foresight::none;
}

SumOf sum_of(const std::string& key) {
  const ResultColumn* const column = find_column(key);
  return column ? column->sum_of : SumOf::nothing;
}

OfSpeed of_speed(const std::string& key) {
  const ResultColumn* const column = find_column(key);
  return column ? column->of_speed : OfSpeed::nothing;
}

std::vector<std::optional<Operand>> values_in(const Result& result,
                                              const std::vector<std::string>& keys) {
  return values_of(result_cells(result), Studied::scenario, keys);
}

std::vector<std::optional<Operand>> values_in(const serving::Answer& answer,
                                              const std::vector<std::string>& keys) {
  return values_of(result_cells(answer), Studied::serving, keys);
}

bool surely_fails(const Condition& condition, const Lookup& optimistic, bool& exactly) {
  exactly = all_exact(condition.left) && all_exact(condition.right);
  if (exactly) return !holds(condition, optimistic);
  const bool left = is_plain(condition.left) && all_exact(condition.right);
  const bool right = is_plain(condition.right) && all_exact(condition.left);
  if (!left && !right) return false;
  const Foresight known = foresight_of((left ? condition.left : condition.right).names.front());
  const bool more = left ? wants_more(condition.comparison) : wants_less(condition.comparison);
  const bool less = left ? wants_less(condition.comparison) : wants_more(condition.comparison);
  const bool tells =
      (more && known == Foresight::at_most) || (less && known == Foresight::at_least);
  return tells && optimistic((left ? condition.left : condition.right).names.front()) &&
         !holds(condition, optimistic);
}

LimitedKey limited_key(const Condition& condition) {
  const auto is_number = [](const Side& side) { return !side.text && side.names.empty(); };
  if (is_plain(condition.left) && is_number(condition.right) &&
      (wants_more(condition.comparison) || wants_less(condition.comparison)))
    return {condition.left.names.front(), wants_more(condition.comparison)};
  if (is_plain(condition.right) && is_number(condition.left) &&
      (wants_more(condition.comparison) || wants_less(condition.comparison)))
    return {condition.right.names.front(), wants_less(condition.comparison)};
  return {};
}

}  // namespace gpufeed
