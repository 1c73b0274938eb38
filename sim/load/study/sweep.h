// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/load/read/catalog.h"
#include "sim/model/study/sweep.h"

namespace gpufeed {

/// More points than this are refused.
inline constexpr double kMostPoints = 1e7;

/// Reads a sweep, puts the values of ranges and catalog queries into its axes, and checks that it
/// holds together. What the axes' paths and values mean to the scenario, and the names in its
/// constraints, are not looked at.
/// \throws InputError  with every problem found
Sweep load_sweep(const std::filesystem::path& file, const Catalog& catalog);
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
Sweep parse_sweep(std::string_view text, const std::string& name, const Catalog& catalog);

/// Fills in and checks the axes, filters and scenario of a sweep whose keys were read; `out` has
/// what was wrong with them.
void finish_sweep(Sweep& sweep, const Catalog& catalog, Diagnostics& out);

}  // namespace gpufeed
