// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpufeed {

/// A single value of a row; null where it is not known.
using RowValue = std::variant<std::monostate, bool, double, std::string>;
/// Values by name, in order.
using JsonRow = std::vector<std::pair<std::string, RowValue>>;

/// An array of objects. Whole numbers are written without a point.
std::string to_json(const std::vector<JsonRow>& rows);

}  // namespace gpufeed
