// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/study/side_by_side.h"

namespace gpufeed {

/// Stores that go by other names in other scenarios are held against each other: where all have
/// equally many whose names not all have, the first of each are one, the second of each, and so on
/// (by name). All are then called as in the first scenario, in places and in values that name them.
/// \param keys  `scenario_values` of each scenario
/// \return the names, for each such store
std::vector<Difference> pair_stores(std::vector<std::map<std::string, std::string>>& keys);

}  // namespace gpufeed
