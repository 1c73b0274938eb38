// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/load/read/catalog.h"
#include "sim/model/study/goal.h"

namespace gpufeed {

/// Reads a goal, puts the values of ranges and catalog queries into its axes, and checks that it
/// holds together. What paths and values mean to the scenarios, and the names in its constraints,
/// are not looked at. \throws InputError  with every problem found
Goal load_goal(const std::filesystem::path& file, const Catalog& catalog);
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
Goal parse_goal(std::string_view text, const std::string& name, const Catalog& catalog);

/// All choices of a goal for one of its workloads, as a sweep over that scenario.
Sweep sweep_of(const Goal& goal, std::size_t workload);

}  // namespace gpufeed
