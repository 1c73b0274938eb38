// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/chassis/place.h"

namespace gpufeed {

/// Writes into `system`, in place of the keys of parts, the tables of any other system: sockets,
/// links, switches, GPUs, cards, drives, volumes, and what else the chassis says. Tables and keys
/// that stand there already stay. Switches below sockets without a CPU are left out.
void write_tables(toml::table& system, const Chassis& chassis, const Parts& parts,
                  const Placement& placement, const Reader& reader);

}  // namespace gpufeed
