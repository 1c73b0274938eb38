// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/exchange.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// A directed cycle through all GPUs that take part, as GPU numbers of the scenario.
struct Ring {
  std::vector<int> order;
  bool nvlink = false;  ///< whether it takes NVLink where there is one
  double bricks = 1.0;  ///< NVLink only: how much of a brick it may fill on each of its hops
};

/// The rings that a ring all-reduce over the first `gpus` GPUs runs on at once: as many Hamiltonian
/// cycles over NVLink as a search finds such that no direction of a brick serves two of them (a
/// brick is full duplex: each direction is an arc of its own). Up to four GPUs, rings of half a
/// brick are taken where they add up to more. Behind one NVSwitch, one ring in the order of the
/// GPUs fills all links. Without any cycle, or without peer_to_peer, one ring over PCIe in the
/// order of the GPUs. One GPU needs none. `Rings::one`: one ring in the order of the GPUs, which
/// takes NVLink where two neighbors have it.
/// The search is deterministic: it stops at the upper bound (the fewest bricks of a GPU) or after a
/// fixed number of steps, and returns the best it met.
/// \source  NCCL at commit 01d7a24, src/transport/p2p.cu: one-way bricks, and halves of them up to
///          four ranks, are its rules
std::vector<Ring> find_rings(const System& system, int gpus, Rings wanted = Rings::searched);

}  // namespace gpufeed
