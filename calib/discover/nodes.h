// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/discover/found.h"

namespace gpufeed {

/// What tells how sockets, cores and NUMA nodes belong together; 0: not told.
struct ProcessorFacts {
  std::string model;
  std::int64_t sockets = 0;
  std::int64_t cores_per_socket = 0;
  std::int64_t threads_per_core = 0;
  std::vector<CpuSet> nodes;  ///< hardware threads of each NUMA node
};

/// Makes sockets of a machine whose source tells NUMA nodes (`sockets_are_nodes`): a package may
/// hold several (NPS of AMD EPYC, SNC of Intel Xeon). Where the processor's facts do not tell, up
/// to two nodes are sockets, and more are two sockets with as many nodes each, which becomes a
/// question. Nodes on which no device hangs are counted by their numbers, and by how far apart the
/// threads of one core are numbered, which is the number of all cores.
void join_nodes(FoundMachine& machine, const ProcessorFacts& facts = {});

}  // namespace gpufeed
