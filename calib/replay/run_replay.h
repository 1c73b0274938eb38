// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "calib/replay/replay_plan.h"

namespace gpufeed {

/// One epoch as it was.
struct ReplayEpoch {
  Seconds time;      ///< from starting the workers to the last step's end
  Seconds computed;  ///< of it, the timer ran
  Seconds waited;    ///< for a batch that was not there
  Seconds taken;     ///< copying batches out of the workers' memory
  Bytes read;        ///< from the storage, as /proc/PID/io has it
  std::int64_t samples = 0;
};

/// Runs the loader: worker processes that live for an epoch read, decode and place whole batches in
/// shared memory; one process takes them in order and waits a timer's time for each. The page cache
/// holds none of the files at first.
/// \throws InputError  where a file cannot be read, or when interrupted
std::vector<ReplayEpoch> run_replay(const ReplayPlan& plan);

}  // namespace gpufeed
