// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "sim/topology/graph.h"

namespace gpufeed {

/// Who moves data over a network: the loader of a GPU of the system, or one that works for none and
/// takes its turn after others whose data have the same end.
struct NicUser {
  std::optional<std::size_t> gpu{};
  std::size_t turn = 0;
  std::optional<PartId> card{};  ///< the one that it was dealt; else the nearest

  bool operator==(const NicUser&) const = default;
};

/// Users that work for no GPU, as they come.
class NicTurns {
 public:
  NicUser next(VertexIndex end) { return {.turn = taken_[end.position()]++}; }

 private:
  std::map<std::size_t, std::size_t> taken_;  ///< by end
};

/// The NIC between a network and `end`, a memory or a GPU: the nearest to the end; of
/// equal ones, one beside the user's GPU (same switch, else same socket). Users with the same
/// choice take them in turn. \return nothing where no NIC of the network reaches the end
std::optional<PartId> chosen_nic(const System& system, const Graph& graph, VertexIndex network,
                                 VertexIndex end, const NicUser& user);

}  // namespace gpufeed
