// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/cluster/machines.h"

namespace gpufeed::cluster {

/// How long a resource kept a job waiting: stores, then links of nodes.
struct HeldBy {
  int resource = 0;
  double time = 0;  ///< s beyond what the same would take if nobody else were there
};

struct Board;  // sim/cluster/board.h

/// What became of a job. GPU-seconds: so many GPUs for so long; a share counts as its share.
struct JobRecord {
  bool refused = false;  ///< a whole, empty cluster could not hold it
  std::optional<double> start, end;
  int attempts = 0;
  Placement at;        ///< of the last attempt
  double held = 0;     ///< GPU-seconds, restarts and checkpoints included
  double busy = 0;     ///< GPU-seconds of computing
  double lost = 0;     ///< of these, what was not saved when an attempt was stopped
  double bytes = 0;    ///< read while it worked
  double written = 0;  ///< by checkpoints, to its store
  double working = 0;  ///< s, neither restart nor checkpoint
  double alone = 0;    ///< s that the same would take if nobody else were on stores and links
  std::vector<HeldBy> held_by = {};
  double energy = 0;  ///< J, its part of what its nodes draw idle included
  double cost = 0;    ///< USD, likewise
};

/// A piece of a job's time on machines.
struct Attempt {
  int job = 0;
  double start = 0;
  double end = 0;
  Placement at;
  bool finished = false;
};

/// What held from a date on, until the next.
struct Moment {
  double at = 0;
  std::vector<double> stores;   ///< B/s that each delivers
  std::int64_t waiting = 0;     ///< jobs
  std::int64_t free_milli = 0;  ///< of nodes that are up
  std::int64_t held_milli = 0;
};

/// What happened.
struct Outcome {
  std::vector<JobRecord> jobs;
  std::vector<Attempt> attempts;  ///< in the order in which they ended
  std::vector<Moment> moments;
  double first_arrival = 0;
  double last_end = 0;          ///< of a job; the window's end where there is one
  double idle_energy = 0;       ///< J that nodes draw when nothing computes, whoever holds them
  double idle_energy_cost = 0;  ///< USD of that
  double held_idle_energy = 0;  ///< J of it, while jobs held the nodes
  double held_cost = 0;         ///< USD of that, and of the nodes' time
  double stranded = 0;  ///< GPU-seconds free on nodes that are up while a job waits for GPUs
};

/// Lets a scheduler work on a case. \source  the order of events, rates and the life of a job:
/// sim/physics.md, "A shared cluster"
/// \param pass  whom to start; default: as the policy says
Outcome run(const Case& of, const std::function<void(Board&)>& pass = {});

}  // namespace gpufeed::cluster
