// SPDX-License-Identifier: Apache-2.0
#include "reports/study/result_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/phrase_book.h"

namespace gpufeed {
namespace {

constexpr std::array<std::string_view, 13> kLeftOut{"schema_version",
                                                    "title",
                                                    "kind",
                                                    "version",
                                                    "scenario",
                                                    "system",
                                                    "nodes",
                                                    "workload",
                                                    "storage",
                                                    "seed",
                                                    "bottleneck.why",
                                                    "simulated.runs",
                                                    "simulated.store_shares"};

template <class M>
inline constexpr bool kIsOptional = false;
template <class M>
inline constexpr bool kIsOptional<std::optional<M>> = true;

template <class M>
concept Scalar = std::is_arithmetic_v<M> || std::same_as<M, std::string>;

Cell cell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }
Cell cell(std::int64_t value) { return value; }
Cell cell(bool value) { return std::int64_t{value}; }
Cell cell(const std::string& value) { return value; }

/// Calls `take(rule, name, value)` for each single value, and `take(rule, name, nullptr)` for those
/// of a table that is not there.
template <class T, class Take>
void walk(const T* table, const std::string& prefix, const Take& take);

template <class M, class Key, class Take>
void walk_member(const Rule<Key>& rule, const M* value, const std::string& name, const Take& take) {
  if constexpr (kIsOptional<M>)
    walk_member(rule, value && *value ? &**value : nullptr, name, take);
  else if constexpr (HasFields<M>)
    walk(value, name + ".", take);
  else if constexpr (Scalar<M>)
    if (std::ranges::find(kLeftOut, name) == kLeftOut.end()) take(rule, name, value);
}

template <class T, class Take>
void walk(const T* table, const std::string& prefix, const Take& take) {
  for_each_field<T>([&]<class F>(const F& field) {
    const std::string name = prefix + std::string(field.name);
    if constexpr (kIsTold<F>) {
      const auto text =
          table ? in_words(table->*field.member) : decltype(in_words(table->*field.member)){};
      walk_member(field, table ? &text : nullptr, name, take);
    } else {
      walk_member(field, table ? &(table->*field.member) : nullptr, name, take);
    }
  });
}

}  // namespace

std::optional<Operand> operand_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return Measure{*number, nullptr};
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    return Measure{static_cast<double>(*number), nullptr};
  return {};
}

const std::vector<ResultColumn>& result_columns() {
  static const auto columns = [] {
    std::vector<ResultColumn> all;
    walk(static_cast<const Result*>(nullptr), "",
         [&]<class Key, class M>(const Rule<Key>& rule, const std::string& name, const M*) {
           all.push_back(
               {name, cell(M{}), rule.may_be_negative, rule.foresight, rule.sum_of, rule.of_speed});
         });
    return all;
  }();
  return columns;
}

const ResultColumn* find_column(std::string_view name) {
  const auto& columns = result_columns();
  const auto found = std::ranges::find(columns, name, &ResultColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

std::vector<std::string> result_column_names() {
  std::vector<std::string> names;
  for (const ResultColumn& column : result_columns()) names.push_back(column.name);
  return names;
}

std::string column_meant(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMeant{
      {{"throughput", "job_samples_per_s"},
       {"samples_per_s", "job_samples_per_s"},
       {"throughput_samples_per_s", "job_samples_per_s"},
       {"tokens_per_s", "job_tokens_per_s"},
       {"gpu_utilization", "job_gpu_utilization"},
       {"accelerator_utilization", "job_gpu_utilization"},
       {"running_cost.per_million_samples_USD", "running_cost.job_per_million_samples_USD"}}};
  for (const auto& [said, meant] : kMeant)
    if (name == said) return std::string(meant);
  return name;
}

void take_columns_meant(std::vector<Condition>& conditions) {
  for (Condition& condition : conditions)
    for (Side* const side : {&condition.left, &condition.right})
      std::ranges::transform(side->names, side->names.begin(), column_meant);
}

std::vector<Cell> result_cells(const Result& result) {
  std::vector<Cell> cells;
  walk(&result, "", [&](const auto&, const std::string&, const auto* value) {
    cells.push_back(value ? cell(*value) : Cell());
  });
  return cells;
}

}  // namespace gpufeed
