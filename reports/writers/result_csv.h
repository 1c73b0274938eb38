// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

/// All tables of results in one, a value a line: scenario (its title), table, row (counted from 1;
/// 0 where the table has no rows), column (a key of the JSON) and value; empty: null. The graph,
/// the time line and the scenario's text have forms of their own.
std::string to_csv(const std::vector<Result>& results);

}  // namespace gpufeed
