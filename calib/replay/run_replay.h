// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "calib/replay/replay_plan.h"

namespace gpufeed {

/// One epoch as it was.
struct ReplayEpoch {
  Seconds time;          ///< from starting the workers to their end after the last step
  Seconds computed;      ///< of it, the timer ran
  Seconds waited;        ///< for a batch that was not there
  Seconds taken;         ///< copying batches out of the workers' memory
  Seconds reading;       ///< in read calls of all workers together
  Seconds of_core_read;  ///< time of cores in read calls, of all workers together
  Seconds making;        ///< time of cores, of all workers together, besides read calls
  Bytes read;            ///< from the storage, as /proc/PID/io has it
  std::int64_t samples = 0;
  /// Of the pages of its last files, those that lie apart from the one before in memory; only where
  /// the plan looks at them, and the kernel tells.
  std::optional<double> apart = {};
};

/// What the loader that replays costs by itself: it is none of PyTorch's.
struct ReplayLoader {
  Seconds worker_start;  ///< starting and ending one worker
  Seconds wake;          ///< until it runs when a worker tells it of a batch; 0 where one waits
  Seconds take_over;     ///< of a core, copying a batch out of a worker's memory
  Seconds place;         ///< copying what was read apart into a batch; 0 where it is read there
};

/// Measured with empty epochs and one of a few batches, before a replay.
/// \throws InputError  as `run_replay`
ReplayLoader measure_loader(const ReplayPlan& plan);

/// Runs the loader: worker processes that live for an epoch read, decode and place whole batches in
/// shared memory; one process takes them in order and waits a timer's time for each. The page cache
/// holds none of the files at first, but their inodes are known.
/// \param after_epoch  called with how many have been run, while no worker is there; may be empty
/// \throws InputError  where a file cannot be read, or when interrupted
std::vector<ReplayEpoch> run_replay(const ReplayPlan& plan,
                                    const std::function<void(int done)>& after_epoch = {});

}  // namespace gpufeed
