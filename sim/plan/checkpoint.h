// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/drive_time.h"
#include "sim/topology/routes.h"

namespace gpufeed {

/// Checkpoints are written, and read back, in requests that storage takes at its best.
inline constexpr Bytes kCheckpointRequest{1048576};

/// One GPU that saves its part of a job's state: it is copied to host memory, then written.
struct CheckpointWriter {
  struct Piece {
    RouteIndex route;
    Bytes size;
    Bytes room;  ///< that may wait in the page cache while GPUs go on; 0: synced

    bool operator==(const Piece&) const = default;
  };
  Bytes size;
  RouteIndex copy;  ///< to host memory
  /// While pieces are written: by software, to the page cache or to what sends it to a store.
  RouteIndex by_software;
  std::vector<Piece> pieces;  ///< written at the same time

  bool operator==(const CheckpointWriter&) const = default;
};

/// A drive that is written and read for the training.
struct SharedDrive {
  ResourceIndex read;
  ResourceIndex write;
  DriveTime time;

  bool operator==(const SharedDrive&) const = default;
};

struct CheckpointPlan {
  std::int64_t interval = 1;  ///< in steps
  bool asynchronous = false;
  Bytes size;          ///< of one job's state
  Bytes read_besides;  ///< at a restart: weights that stay as they are
  std::vector<CheckpointWriter> writers;

  bool operator==(const CheckpointPlan&) const = default;
};

}  // namespace gpufeed
