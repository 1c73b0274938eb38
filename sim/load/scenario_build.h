// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/load.h"
#include "sim/load/read/reader.h"

namespace gpufeed {

/// Applies the overrides to `table` and reads its keys; nothing else is checked.
Scenario read_scenario(toml::table& table, const std::vector<Override>& overrides, Reader& reader,
                       Diagnostics& out);

/// The whole way from a file's table to a checked scenario; problems go to `out`.
/// \param name  of the file
Scenario build_scenario(toml::table table, const std::string& name, const Catalog& catalog,
                        const std::vector<Override>& overrides, Diagnostics& out);

}  // namespace gpufeed
