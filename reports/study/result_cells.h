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

/// The keys of a result that hold one value each, named as in its JSON: "throughput_samples_per_s",
/// "bottleneck.resource". Lists are left out, and what says the same for every point of a sweep or
/// repeats its axes.
std::vector<std::string> result_columns();
/// What each of them holds: a zero or an empty text.
std::vector<Cell> empty_cells();
/// Their values, in the same order.
std::vector<Cell> result_cells(const Result& result);

}  // namespace gpufeed
