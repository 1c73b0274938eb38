// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/writers/rows_json.h"
#include "sim/load/load.h"

namespace gpufeed::cli {

/// A title that begins at column `start` of a line, in one line, its end left out beyond `width`.
/// \param width  of the terminal; nothing: titles are whole
std::string title_in(const std::string& title, std::size_t start,
                     const std::optional<std::size_t>& width);

/// Whether an entry has a value at `key`.
bool says(const EntryText& entry, const std::string& key);

/// Puts entries in the order of what they say at `key`, least first; those that do not say it are
/// last either way.
void sort_by(std::vector<EntryText>& entries, const std::string& key, bool reverse);

/// Entries of one kind as a table: name, the values that matter for the kind and those at `more`
/// keys, title.
/// \param width  as of `title_in`
std::string table_of(const std::vector<EntryText>& entries, const Names& more,
                     const std::optional<std::size_t>& width);

/// Every single value of each entry; numbers in SI units, which the names end in: capacity_B.
std::string json_of(const std::vector<EntryText>& entries);

}  // namespace gpufeed::cli
