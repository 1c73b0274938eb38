// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/reader.h"

namespace gpufeed {

/// Where the machine at `key` of a table is a chassis with parts, or a file of one, puts the parts
/// list in its place.
/// \return whether there is nothing wrong with it, which else is reported
bool make_machine(toml::table& of, std::string_view key, const KeyPath& place, Reader& reader,
                  Diagnostics& out);

/// The same of the servers of all stores of a file.
void make_servers(toml::table& file, Reader& reader, Diagnostics& out);

}  // namespace gpufeed
