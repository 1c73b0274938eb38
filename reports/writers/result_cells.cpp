// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/result_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/phrase_book.h"
#include "sim/base/units.h"

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

// Of an engine that serves: axes, and what says how to read the others.
constexpr std::array<std::string_view, 8> kLeftOutOfServing{
    "title", "model", "gpu", "precision", "tensor", "replicas", "has_goal", "is_drawn"};

template <class T>
bool is_left_out(std::string_view name) {
  if constexpr (std::same_as<T, serving::Answer>)
    return std::ranges::find(kLeftOutOfServing, name) != kLeftOutOfServing.end();
  return std::ranges::find(kLeftOut, name) != kLeftOut.end();
}

template <class M>
inline constexpr bool kIsOptional = false;
template <class M>
inline constexpr bool kIsOptional<std::optional<M>> = true;

template <class M>
concept Scalar =
    std::is_arithmetic_v<M> || std::same_as<M, std::string> || std::same_as<M, serving::Bottleneck>;

Cell cell_of(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }
Cell cell_of(std::int64_t value) { return value; }
Cell cell_of(bool value) { return std::int64_t{value}; }
Cell cell_of(const std::string& value) { return value; }
Cell cell_of(serving::Bottleneck value) { return std::string(name_of(value)); }

/// In what files write a limit of it; null: no unit is known, as of energy.
template <class T, class M>
const UnitTable* units_in(const Field<T, M>& field) {
  if constexpr (std::same_as<T, RunningCost> && std::same_as<M, std::optional<double>>)
    if (field.member == &T::energy_per_epoch_kWh || field.member == &T::energy_per_result_kWh)
      return nullptr;
  if (field.sum_of == SumOf::prices) return &units_of<Money>();
  if (field.sum_of == SumOf::powers)
    return field.of_speed == OfSpeed::nothing ? &units_of<Power>() : nullptr;
  if (field.of_speed == OfSpeed::rate) return &units_of<Rate>();
  return field.of_speed == OfSpeed::time ? &units_of<Seconds>() : nullptr;
}

/// Calls `take(rule, units, name, value)` for each single value, and `take(rule, units, name,
/// nullptr)` for those of a table that is not there. Root: the type whose columns they are.
/// \param goes  how the table goes with speed, and so its keys that do not say it themselves
template <class Root, class T, class Take>
void walk(const T* table, const std::string& prefix, OfSpeed goes, const Take& take);

template <class Root, class M, class Key, class Take>
void walk_member(const Rule<Key>& rule, const UnitTable* units, const M* value,
                 const std::string& name, const Take& take) {
  if constexpr (kIsOptional<M>)
    walk_member<Root>(rule, units, value && *value ? &**value : nullptr, name, take);
  else if constexpr (HasFields<M>)
    walk<Root>(value, name + ".", rule.of_speed, take);
  else if constexpr (Scalar<M>)
    if (!is_left_out<Root>(name)) take(rule, units, name, value);
}

template <class Root, class T, class Take>
void walk(const T* table, const std::string& prefix, OfSpeed goes, const Take& take) {
  for_each_field<T>([&]<class F>(F field) {
    if constexpr (std::same_as<Root, serving::Answer>)
      if (field.of_speed == OfSpeed::nothing) field.of_speed = goes;
    const std::string name = prefix + std::string(field.name);
    const UnitTable* const units = units_in(field);
    if constexpr (kIsTold<F>) {
      const auto text =
          table ? in_words(table->*field.member) : decltype(in_words(table->*field.member)){};
      walk_member<Root>(field, units, table ? &text : nullptr, name, take);
    } else {
      walk_member<Root>(field, units, table ? &(table->*field.member) : nullptr, name, take);
    }
  });
}

template <class T>
std::vector<ResultColumn> columns_of() {
  std::vector<ResultColumn> all;
  walk<T>(static_cast<const T*>(nullptr), "", OfSpeed::nothing,
          [&]<class Key, class M>(const Rule<Key>& rule, const UnitTable* units,
                                  const std::string& name, const M*) {
            all.push_back({name, cell_of(M{}), rule.may_be_negative, rule.foresight, rule.sum_of,
                           rule.of_speed, units});
          });
  return all;
}

template <class T>
std::vector<Cell> cells_of(const T& told) {
  std::vector<Cell> cells;
  walk<T>(&told, "", OfSpeed::nothing,
          [&](const auto&, const UnitTable*, const std::string&, const auto* value) {
            cells.push_back(value ? cell_of(*value) : Cell());
          });
  return cells;
}

constexpr std::string_view kOnlyOfServing = "ttft_s.p95";

/// "ttft_p95" of a goal as the answer has it, and short names.
std::string meant_of_serving(const std::string& name) {
  constexpr std::array<std::string_view, 3> kTimes{"ttft_", "itl_", "e2e_"};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMeant{
      {{"goodput", "goodput_per_s"},
       {"throughput", "tokens_per_s"},
       {"gpu_utilization", "gpu_busy"}}};
  for (const std::string_view time : kTimes)
    for (const char* const part : {"mean", "p50", "p95", "p99"})
      if (name == std::string(time) + part) return fmt::format("{}s.{}", time, part);
  for (const auto& [said, meant] : kMeant)
    if (name == said) return std::string(meant);
  return name;
}

/// The unit of a key of an engine that serves, where it has one that a file may write.
const UnitTable* units_of_serving(std::string_view name) {
  const auto& columns = result_columns(Studied::serving);
  const auto column = std::ranges::find(columns, name, &ResultColumn::name);
  if (column == columns.end()) return nullptr;
  const bool is_paid_by_it = column->sum_of != SumOf::nothing;  // such as dollars for tokens
  return is_paid_by_it && column->foresight != Foresight::exact ? nullptr : column->units;
}

}  // namespace

std::optional<Operand> operand_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return Measure{*number, nullptr};
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    return Measure{static_cast<double>(*number), nullptr};
  return {};
}

const std::vector<ResultColumn>& result_columns(Studied what) {
  static const auto of_scenarios = columns_of<Result>();
  static const auto of_serving = columns_of<serving::Answer>();
  return what == Studied::serving ? of_serving : of_scenarios;
}

const ResultColumn* find_column(std::string_view name) {
  for (const Studied what : {Studied::scenario, Studied::serving}) {
    const auto& columns = result_columns(what);
    const auto found = std::ranges::find(columns, name, &ResultColumn::name);
    if (found != columns.end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string> result_column_names(Studied what) {
  std::vector<std::string> names;
  for (const ResultColumn& column : result_columns(what)) names.push_back(column.name);
  return names;
}

Studied studied_in(const std::vector<std::string>& columns) {
  return std::ranges::count(columns, kOnlyOfServing) > 0 ? Studied::serving : Studied::scenario;
}

std::string column_meant(const std::string& name, Studied what) {
  if (what == Studied::serving) return meant_of_serving(name);
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

void take_columns_meant(std::vector<Condition>& conditions, Studied what) {
  for (Condition& condition : conditions) {
    const std::pair<Side*, Side*> both[] = {{&condition.left, &condition.right},
                                            {&condition.right, &condition.left}};
    for (const auto& [side, other] : both)
      for (std::string& name : side->names) {
        name = column_meant(name, what);
        // Columns are plain numbers, in the unit that their name says.
        if (what == Studied::serving && other->factor.units == units_of_serving(name))
          other->factor.units = nullptr;
      }
  }
}

std::vector<Cell> result_cells(const Result& result) { return cells_of(result); }
std::vector<Cell> result_cells(const serving::Answer& answer) { return cells_of(answer); }

}  // namespace gpufeed
