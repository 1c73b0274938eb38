// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "calib/discover/found.h"
#include "calib/discover/topo_table.h"

namespace gpufeed {

/// Whether the text looks like what `nvidia-smi topo -m` prints.
bool is_topo_matrix(std::string_view text);

/// The machine of that matrix: GPUs and cards, grouped by what lies between them (PIX and PXB: a
/// switch; PHB and NODE: a NUMA node). Its sockets are NUMA nodes, which `join_nodes` joins; links
/// are those of each pair, be it direct or through switches. It tells no product, no lanes, no
/// memory.
FoundMachine machine_of_topo_matrix(const TopoTable& table);
/// The same from its text.
/// \param name  stands for the file in messages
/// \throws InputError  where a row is incomplete or holds another word; says in which line
FoundMachine machine_of_topo_matrix(std::string_view text, const std::string& name);

}  // namespace gpufeed
