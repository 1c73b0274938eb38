// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/sqlite.h"
#include "reports/study/sweep_store.h"

namespace gpufeed {

/// The command that makes the table of points. \param columns  the first is the point's number
std::string point_table(const std::vector<std::string>& columns);
/// The command that makes the table of what a file says about itself.
std::string about_table();

/// Refuses a file whose tables are not those that a sweep makes (views, triggers and indices among
/// them), or whose pages are damaged: it is read before a row of it is. \throws InputError
void check_tables(Database& database);

/// Refuses points that the sweep or the shard does not have, and rows that no sweep writes.
/// \throws InputError
void check_points(Database& database, const StoreHead& head);

}  // namespace gpufeed
