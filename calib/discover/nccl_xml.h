// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/discover/found.h"
#include "calib/discover/xml.h"

namespace gpufeed {

/// The machine of an NCCL or RCCL topology (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE). Its sockets are
/// NUMA nodes, which `join_nodes` joins. Partitions of one GPU are one GPU.
/// \param root  its <system>
/// \throws InputError  where it holds no <cpu>, or a number is none; says where
FoundMachine machine_of_nccl(const XmlElement& root);

}  // namespace gpufeed
