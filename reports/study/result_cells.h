// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/model/result/result.h"
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
  OfSpeed of_speed = OfSpeed::nothing;
};
/// All of them. Lists are left out, and what says the same for every point of a sweep or repeats
/// its axes.
const std::vector<ResultColumn>& result_columns();
/// The one of this name; null: there is none.
const ResultColumn* find_column(std::string_view name);
/// The same, only their names.
std::vector<std::string> result_column_names();

/// What conditions and aims of sweeps and goals mean by a name. Rate, utilization and cost are
/// those of the whole job, also under the names that say them in short, or did so before there was
/// another: "throughput", "samples_per_s" and "throughput_samples_per_s" are "job_samples_per_s".
/// Any other name means itself.
std::string column_meant(const std::string& name);
void take_columns_meant(std::vector<Condition>& conditions);

/// The values of all columns, in the same order.
std::vector<Cell> result_cells(const Result& result);

}  // namespace gpufeed
