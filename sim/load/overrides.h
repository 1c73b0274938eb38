// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/load.h"
#include "sim/load/read/reader.h"

namespace gpufeed {

/// Puts the override's value into `root`, the table of a scenario. Where its path leads into
/// a catalog entry and that is a name or a path, the entry's table takes its place; the value then
/// counts as the user's, not as the entry's. An empty
/// value leaves the key out, as if it had not been given.
void apply_override(toml::table& root, const Override& override, Reader& reader, Diagnostics& out);

}  // namespace gpufeed
