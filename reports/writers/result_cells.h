// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/result/result.h"
#include "sim/model/serving/answer.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

/// One value of a row; nothing where it is not known or not finite.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A cell as a condition compares it.
std::optional<Operand> operand_of(const Cell& cell);

/// A key of a result that holds one value.
struct ResultColumn {
  std::string name;  ///< as in its JSON: "job_samples_per_s", "bottleneck.resource"
  Cell empty;        ///< what such a cell holds: a zero or an empty text
  bool may_be_negative = false;
  Foresight foresight = Foresight::none;
  SumOf sum_of = SumOf::nothing;
  OfSpeed of_speed = OfSpeed::nothing;  ///< its own, or of the table it stands in
  const UnitTable* units = nullptr;     ///< null: it has none, or one that files do not write
};
/// What a study simulates, and so whose keys its columns are: those of a Result, or of an engine
/// that serves a language model.
enum class Studied { scenario, serving };

/// All of them. Lists are left out, and what says the same for every point of a sweep or repeats
/// its axes.
const std::vector<ResultColumn>& result_columns(Studied what = Studied::scenario);
/// The one of this name, of a Result or else of an engine that serves; null: there is none.
const ResultColumn* find_column(std::string_view name);
/// The same, only their names.
std::vector<std::string> result_column_names(Studied what = Studied::scenario);
/// Whose columns these are.
Studied studied_in(const std::vector<std::string>& columns);

/// What conditions and aims of sweeps and goals mean by a name. Rate, utilization and cost are
/// those of the whole job, also under the names that say them in short, or did so before there was
/// another: "throughput", "samples_per_s" and "throughput_samples_per_s" are "job_samples_per_s".
/// Any other name means itself.
/// Of an engine that serves the words of its goal are known: "ttft_p95" is "ttft_s.p95"; and a
/// limit of a time or rate may have a unit, or be in seconds, or per second.
std::string column_meant(const std::string& name, Studied what = Studied::scenario);
void take_columns_meant(std::vector<Condition>& conditions, Studied what = Studied::scenario);

/// The values of all columns, in the same order.
std::vector<Cell> result_cells(const Result& result);
std::vector<Cell> result_cells(const serving::Answer& answer);

}  // namespace gpufeed
