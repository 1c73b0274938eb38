// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/catalog/collective_library.h"
#include "sim/model/kinds/collective.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// A collective as far as the costs of a library need it.
struct CollectiveShape {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  int ranks = 1;
  int nodes = 1;
  bool nvlink = false;  ///< whether NVLink joins the GPUs of a node
  bool nvls = false;    ///< whether one set of NVSwitches joins all ranks
  Bytes size;           ///< of the whole buffer, as nccl-tests counts it
  double cycle = 1;     ///< of the GPUs' clock, over that for which the library's costs hold
  Seconds farther;      ///< the network's latency, over that which the library's costs contain
  Seconds within;       ///< of several nodes: what the ways within a node alone would take
};

/// Part of the buffer that each rank of a ring sends: 2 (n-1)/n to sum for all, (n-1)/n to gather
/// or scatter.
double sent_share(CollectiveOperation operation, int ranks);

/// A pattern with a protocol, and what it takes.
struct TunedCollective {
  CollectivePattern pattern = CollectivePattern::ring;
  CollectiveProtocol protocol = CollectiveProtocol::simple;
  Seconds latency;
  Seconds transfer;  ///< after the latency, when nothing else is under way
  Seconds expected;  ///< both as the library has them, which knows no clocks and no networks: by
                     ///< it, it chooses
};

/// The protocol that the library takes to be quickest of a pattern whose bytes alone take `plain`
/// at the full rate of its links:
///   latency = cycle x start + (steps - s) x step within a node + s x (step between nodes +
///   farther), that over NVLink times cycle
///   transfer = max(plain / share, bytes / most) + own_part x size / n at the rate of a ring's
///   links within a node
/// with 2 (n-1) steps of a ring to sum for all and n-1 otherwise, s of them between nodes; of a
/// tree twice its depth.
/// \return nothing where the library has no costs of the pattern
/// \source  NCCL, src/graph/tuning.cc: ncclTopoTuneModel, ncclTopoGetAlgoTime; the own part is ours
std::optional<TunedCollective> tune(const CollectiveLibrary& library, CollectivePattern pattern,
                                    const CollectiveShape& shape, Seconds plain);

/// The same where the switches sum, of ranks whose ring takes `ring`: every rank sends its own part
/// and receives the sums, size (1 + 1/n) in each direction. Only all-reduces of more than two.
std::optional<TunedCollective> tune_nvls(const CollectiveLibrary& library,
                                         const CollectiveShape& shape, Seconds ring);

}  // namespace gpufeed
