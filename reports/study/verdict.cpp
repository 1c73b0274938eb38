// SPDX-License-Identifier: Apache-2.0
#include "reports/study/verdict.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/study/result_cells.h"
#include "sim/base/nearest.h"

namespace gpufeed {
namespace {

constexpr std::array<std::string_view, 13> kExact{"price_USD",
                                                  "power_W",
                                                  "oldest_price_year",
                                                  "newest_price_year",
                                                  "without_price",
                                                  "without_power",
                                                  "running_cost.how",
                                                  "running_cost.per_hour_USD",
                                                  "running_cost.write_off_per_hour_USD",
                                                  "running_cost.electricity_per_hour_USD",
                                                  "running_cost.rent_per_hour_USD",
                                                  "running_cost.store_rent_per_hour_USD",
                                                  "running_cost.without"};
constexpr std::string_view kRunningCost = "running_cost.";
constexpr std::array<std::string_view, 2> kAtMost{"job_samples_per_s", "job_gpu_utilization"};
constexpr std::array<std::string_view, 4> kAtLeast{"step_s", "training_s", "time_to_result_s",
                                                   "running_cost.job_per_million_samples_USD"};

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

}  // namespace

Foresight foresight_of(const std::string& key) {
  if (std::ranges::count(kExact, key) > 0) return Foresight::exact;
  if (std::ranges::count(kAtMost, key) > 0) return Foresight::at_most;
  if (std::ranges::count(kAtLeast, key) > 0) return Foresight::at_least;
  return Foresight::none;
}

SumOf sum_of(const std::string& key) {
  if (key == "power_W") return SumOf::powers;
  const bool costs = key == "price_USD" || key.starts_with(kRunningCost);
  return costs && key.ends_with("_USD") ? SumOf::prices : SumOf::nothing;
}

std::vector<std::optional<Operand>> values_in(const Result& result,
                                              const std::vector<std::string>& keys) {
  const auto& columns = result_columns();
  const std::vector<Cell> cells = result_cells(result);
  std::vector<std::optional<Operand>> values;
  values.reserve(keys.size());
  for (const auto& key : keys)
    values.push_back(operand_of(cells[static_cast<std::size_t>(
        std::ranges::find(columns, key, &ResultColumn::name) - columns.begin())]));
  return values;
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
