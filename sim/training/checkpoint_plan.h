// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "sim/training/drive_time.h"

namespace gpufeed {

struct Plan;
class Nodes;

/// Checkpoints are written, and read back, in requests that storage takes at its best.
inline constexpr Bytes kCheckpointRequest{1048576};

/// One GPU that saves its part of a job's state: it is copied to host memory, then written.
struct CheckpointWriter {
  struct Piece {
    int route;
    Bytes size;
  };
  Bytes size;
  int copy = -1;              ///< route to host memory
  std::vector<Piece> pieces;  ///< written at the same time
};

struct CheckpointPlan {
  std::int64_t interval = 1;  ///< in steps
  bool asynchronous = false;
  Bytes size;  ///< of one job's state
  std::vector<CheckpointWriter> writers;
  std::vector<DriveTime> shared;  ///< drives that are written here and read for the training
};

/// Adds to `plan`, whose GPUs it needs, the routes of its checkpoints. A volume's drives take equal
/// parts and what its layout adds to them; of single drives with whole files, each writer takes
/// one. \param missing  is told of ways that the machine lacks
CheckpointPlan plan_checkpoints(const Scenario& scenario, const Nodes& nodes, Plan& plan,
                                Diagnostics& missing);

/// Reading one checkpoint back by those who wrote it, and copying it to their GPUs, with nothing
/// else under way.
Seconds restart_time(const Scenario& scenario, const Plan& plan);

}  // namespace gpufeed
