// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/topology/routes.h"

namespace gpufeed {

/// How often a copy by software moves each byte over the memory: read, write-allocate, write.
inline constexpr int kCopyReads = 1;
inline constexpr int kCopyWrites = 2;
inline constexpr int kCopyPasses = kCopyReads + kCopyWrites;
inline constexpr int kPageableCopyPasses = 2;  ///< into the driver's pinned buffer: read, write
/// Adding up what arrived in memory: read it, read and write the sum.
inline constexpr int kSumPasses = 3;

/// Adds to a route so many passes over the memory of a socket.
inline void pass_memory(const Graph& graph, Route& route, PartId socket, int times) {
  route.resources.insert(route.resources.end(), static_cast<std::size_t>(times),
                         graph.memory_resource(socket));
}

}  // namespace gpufeed
