// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/reader.h"

namespace gpufeed {

/// Whether the table names a chassis and parts, and no parts list of its own.
bool is_chassis_with_parts(const toml::table& system);

/// Makes of `system = { chassis = "NAME", cpu = "2 x NAME", memory = "2 TB", gpu = "8 x NAME",
/// drives = "8 x NAME", nics = "4 x NAME" }` the parts list that every other system is: sockets,
/// links, switches, GPUs, cards, drives and a volume of all drives. What is left out is what the
/// chassis comes with. Parts go where a vendor puts them; `place = { gpu0 = "cpu1" }` moves them,
/// and tables of parts that stand there already stay. What made a part is where messages about it
/// point. Whatever does not fit goes to `out`, with what would; what is not known becomes a doubt.
/// \return whether the machine could be made
bool make_of_chassis(toml::table& system, const KeyPath& place, Reader& reader, Diagnostics& out);

}  // namespace gpufeed
