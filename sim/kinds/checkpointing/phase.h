// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/kinds/checkpointing/saved_state.h"
#include "sim/model/result/checkpointing_summary.h"
#include "sim/plan/nodes.h"
#include "sim/plan/on_engine.h"

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

/// All ranks move their files one way at once, each one file after the other, on an engine of their
/// own. Ranks lie in blocks on the hosts, the first hosts having one more where hosts do not divide
/// them. A rank copies by one thread when it saves and by `load_threads` when it loads, each of
/// which waits for one request of the protocol's size after the other. Hosts share a busy store by
/// weights drawn once, with the protocol's share_deviation; rank 0's host has the median one, for
/// nobody knows which it gets.
class Phase {
 public:
  /// \throws InputError  where a host does not reach the store
  Phase(const Cluster& cluster, Direction direction);

  /// Called once.
  CheckpointPhase run();
  /// Of each resource, while the slowest rank is not done; after run.
  ByResource<double> load() const;

 private:
  struct Rank {
    RouteId route;
    Seconds start;  ///< until the first byte of each file
    Bandwidth cap;  ///< of its copying and requests; infinite: none
    std::size_t next_file = 0;
  };
  bool loads() const { return direction_ == Direction::load; }
  void add_rank(int host, const std::string& socket, Weight share, NicTurns& turns);
  Bandwidth most_of_a_rank(const std::string& socket, Seconds latency) const;
  void next(std::uint64_t rank);
  void move(std::uint64_t rank);
  std::string limited_by() const;
  /// Of the rank that ended last, had it had all links to itself.
  Seconds own_time() const;

  const Cluster& cluster_;
  const Direction direction_;
  std::unique_ptr<Engine> engine_;
  GraphOnEngine on_engine_;
  std::vector<Rank> ranks_;
  Seconds rank0_;
  Seconds slowest_;
  std::size_t last_ = 0;  ///< the rank that ended last
};

}  // namespace gpufeed
