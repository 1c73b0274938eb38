// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sim/topology/graph.h"

namespace gpufeed {

/// What the machine must carry for every sample trained.
struct FeedDemand {
  std::vector<PartId> sources;  ///< drives or one store; each holds an equal part of the data
  Bytes read_per_sample;
  Bytes copied_per_sample;        ///< host to GPU
  std::vector<std::size_t> gpus;  ///< numbers of the GPUs that take part
  std::vector<PartId> sockets;    ///< of each GPU in `gpus`: the socket whose memory feeds it
};

/// No schedule can feed the GPUs faster.
struct FeedBound {
  Rate rate;                         ///< of all GPUs together; infinite where nothing limits it
  std::vector<ResourceIndex> cut;    ///< what sets it, in the order of the graph
  std::vector<std::size_t> starved;  ///< positions in FeedDemand::gpus of those behind the cut
};

/// The greatest rate at which every GPU can be fed equally (a synchronous step waits for the
/// slowest): max-flow from the data through the read links, the sockets' memories and the copy
/// links to the GPUs, all in samples per second. A memory carries both the read and the copy of
/// each sample that passes it; any other resource gives reads, and the copies out of each memory,
/// its whole capacity; any way may be taken: so it is an upper bound.
/// Equal feeding: the edge of each of N GPUs has capacity rate/N, and the edge of each of D sources
/// rate/D. A cut of fixed capacity F that also cuts a share x < 1 of those edges allows
/// rate <= F / (1 - x); the rate starts above every such limit and is lowered to that of the min
/// cut until it passes in full (Newton's method; exact after finitely many). \throws InputError
/// never; a scenario without a way from data to a GPU gives rate 0
/// \param most  no more is asked for: where that passes, nothing limits it
FeedBound feed_bound(const Graph& graph, const FeedDemand& demand,
                     Rate most = {std::numeric_limits<double>::infinity()});

}  // namespace gpufeed
