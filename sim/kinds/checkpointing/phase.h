// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kinds/checkpointing/saved_state.h"
#include "sim/model/result/checkpointing_summary.h"
#include "sim/plan/nodes.h"

namespace gpufeed {

/// What a phase runs on: the graph of all hosts, and what is saved.
struct Cluster {
  const Scenario& scenario;
  const kind::Checkpointing& keys;
  const Graph& graph;
  const Nodes& nodes;
  const SavedState& state;
};

enum class Direction { save, load };

struct PhaseOutcome {
  CheckpointPhase times;
  ByResource<double> load;  ///< of each resource, while the slowest rank is not done
};

/// All ranks move their files one way at once, each one file after the other, on an engine of their
/// own. Ranks lie in blocks on the hosts, the first hosts having one more where hosts do not divide
/// them. A rank copies by one thread when it saves and by `load_threads` when it loads, each of
/// which waits for one request of the protocol's size after the other. Hosts share a busy store by
/// weights drawn once, with the protocol's share_deviation; rank 0's host has the median one, for
/// nobody knows which it gets.
/// \throws InputError  where a host does not reach the store
PhaseOutcome run_phase(const Cluster& cluster, Direction direction);

}  // namespace gpufeed
