// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/sqlite.h"
#include "reports/study/sweep_store.h"

namespace gpufeed {

/// The form of files whose rows have no digests, of versions before, and that of those that have.
inline constexpr int kFormWithout = 1;
inline constexpr int kFormWithDigests = 2;
/// The last column of the second.
inline constexpr std::string_view kDigest = "digest";

/// The command that makes the table of points. \param columns  the first is the point's number
std::string point_table(const std::vector<std::string>& columns);
/// The command that makes the table of what a file says about itself.
std::string about_table();

/// Refuses a file whose tables are not those that a sweep makes (views, triggers and indices among
/// them), or whose pages are damaged: it is read before a row of it is.
/// \return the columns of its points, without that of the digests
/// \throws InputError
std::vector<std::string> check_tables(Database& database, bool digests);

/// Refuses points that the sweep or the shard does not have, rows that no sweep writes, and those
/// that do not fit their digest.
/// \param columns  as of `check_tables`
/// \throws InputError
void check_points(Database& database, const StoreHead& head,
                  const std::vector<std::string>& columns, bool digests);

}  // namespace gpufeed
