// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>

#include "sim/load/blame.h"
#include "sim/load/load.h"
#include "sim/load/read/reader.h"
#include "sim/load/scenario_source.h"

namespace gpufeed {

/// Puts the override's value into `root`, the table of a scenario. Where its path leads into
/// a catalog entry and that is a name or a path, the entry's table takes its place; the value then
/// counts as the user's, not as the entry's. An empty
/// value leaves the key out, as if it had not been given.
void apply_override(toml::table& root, const Override& override, Reader& reader, Diagnostics& out);

/// The catalog with what `[[own]]` of a scenario's table says of its products. Names and keys that
/// the catalog does not have are reported to `out`; values are checked where their entry is read.
Catalog with_own_values(const toml::table& scenario, const std::string& file,
                        const Catalog& catalog, Diagnostics& out);

/// Hands problems on; they point to where an override stands instead of to its name.
void report_at_overrides(const Diagnostics& found, const std::vector<Override>& overrides,
                         Diagnostics& out);

/// Applies the overrides to `table` and reads its keys; nothing else is checked.
Scenario read_scenario(toml::table& table, const std::vector<Override>& overrides, Reader& reader,
                       Diagnostics& out);

/// The whole way from a file's table to a checked scenario; problems go to `out`, each at the place
/// of what the user gave last of what makes it one (`Blame::changes`), or where it is found.
/// \param name  of the file
Scenario build_scenario(const FreshTable& fresh, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides, Blame blame, Diagnostics& out);

/// That the step time of every GPU in use is known: from a measured rate, or by an estimate, which
/// is learned from the rates of other GPUs and of the catalog's models and put into the workload.
/// The framework that is usual is remembered where none is named.
void find_compute_rates(Scenario& scenario, const Catalog& catalog,
                        const std::set<std::string, std::less<>>& misspelt, Diagnostics& out);

}  // namespace gpufeed
