// SPDX-License-Identifier: Apache-2.0
#include "reports/study/served_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/study/verdict.h"
#include "sim/serving/draws.h"
#include "sim/serving/outcomes.h"

namespace gpufeed {
namespace {

constexpr std::array<const char*, 4> kToldOf{"ttft_s.p95", "itl_s.p95", "goodput_per_s",
                                             "usd_per_mtokens"};

Lookup lookup_in(const std::vector<Cell>& cells, Studied what) {
  return [&cells, what](const std::string& name) {
    const auto& columns = result_columns(what);
    const auto column = std::ranges::find(columns, name, &ResultColumn::name) - columns.begin();
    return operand_of(cells[static_cast<std::size_t>(column)]);
  };
}

bool is_certain(const Condition& condition) {
  const auto exact = [](const Side& side) {
    return std::ranges::all_of(
        side.names, [](const auto& name) { return foresight_of(name) == Foresight::exact; });
  };
  return exact(condition.left) && exact(condition.right);
}

std::optional<double> number_of(const serving::Answer& answer, const std::string& key) {
  const auto value = values_in(answer, {key}).front();
  const auto* number = value ? std::get_if<Measure>(&*value) : nullptr;
  return number ? std::optional(number->value) : std::nullopt;
}

}  // namespace

bool meets_all(const std::vector<Condition>& conditions, const std::vector<Cell>& cells,
               Studied what) {
  const Lookup lookup = lookup_in(cells, what);
  return std::ranges::all_of(conditions, [&](const auto& one) { return holds(one, lookup); });
}

Chances chances_in(const std::vector<serving::Answer>& outcomes,
                   const std::vector<Condition>& conditions) {
  std::vector<std::size_t> held(conditions.size());
  std::size_t all = 0;
  for (const serving::Answer& one : outcomes) {
    const auto cells = result_cells(one);
    const Lookup lookup = lookup_in(cells, Studied::serving);
    bool every = true;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const bool holds_here = holds(conditions[i], lookup);
      held[i] += holds_here ? 1 : 0;
      every = every && holds_here;
    }
    all += every ? 1 : 0;
  }
  const auto share = [&](std::size_t count) {
    return serving::chance_of(static_cast<std::ptrdiff_t>(count), outcomes.size());
  };
  Chances out;
  bool all_certain = true;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const bool certain = is_certain(conditions[i]);
    all_certain = all_certain && certain;
    out.each.push_back(!certain ? share(held[i]) : held[i] > 0 ? 1 : 0);
  }
  out.all = !all_certain ? share(all) : all > 0 || outcomes.empty() ? 1 : 0;
  return out;
}

std::vector<PredictionInterval> intervals_in(const std::vector<serving::Answer>& outcomes,
                                             const serving::Answer& predicted) {
  std::vector<PredictionInterval> out;
  for (const char* const key : kToldOf) {
    const auto middle = number_of(predicted, key);
    std::vector<double> values;
    for (const serving::Answer& one : outcomes)
      if (const auto value = number_of(one, key)) values.push_back(*value);
    if (!middle || values.empty() || values.size() != outcomes.size()) continue;
    const serving::Interval range = serving::range_of(std::move(values), *middle);
    PredictionInterval one;
    one.of = key;
    one.p10 = range.low;
    one.p50 = *middle;
    one.p90 = range.high;
    out.push_back(one);
  }
  return out;
}

}  // namespace gpufeed
