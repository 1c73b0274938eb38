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
  std::string name;  ///< as in its JSON: "throughput_samples_per_s", "bottleneck.resource"
  Cell empty;        ///< what such a cell holds: a zero or an empty text
  bool may_be_negative = false;
};
/// All of them. Lists are left out, and what says the same for every point of a sweep or repeats
/// its axes.
const std::vector<ResultColumn>& result_columns();
/// The same, only their names.
std::vector<std::string> result_column_names();
/// Their values, in the same order.
std::vector<Cell> result_cells(const Result& result);

}  // namespace gpufeed
