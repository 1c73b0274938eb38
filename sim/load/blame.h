// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/load/read/front_door.h"

namespace gpufeed {

/// What makes a scenario's table from its text; a copy of one would not know its lines any more.
using FreshTable = std::function<toml::table()>;
/// Builds a scenario of a table and of overrides, and reports what is wrong with it.
using Build = std::function<void(toml::table, const std::vector<Override>&, Diagnostics&)>;

/// Hands on what was found wrong with a scenario. What is not wrong without the user's changes is
/// told at the change that makes it so: the first of `[[own]]`, `[[replace]]` and the overrides, in
/// this order, with which it appears. A line of the scenario itself gives way to overrides only.
/// \param name  of the scenario's file
void blame_changes(const FreshTable& fresh, const std::string& name,
                   const std::vector<Override>& overrides, const Build& build,
                   const Diagnostics& found, Diagnostics& out);

}  // namespace gpufeed
