// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/job/job.h"

namespace gpufeed {

/// Simulates `epochs` by the scenario's rules. Saving::measured: in one epoch without end, whose
/// pace counts as known after `most_steps`.
Record run_job(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
               Saving saving = Saving::none, std::int64_t most_steps = 0,
               Backlog backlog = Backlog::none);

/// Some epochs and what their checkpoints cost.
struct SavedEpochs {
  std::int64_t count = 0;  ///< checkpoints in them
  CheckpointCost each;     ///< all 0 where there are none
  Seconds all;             ///< what they cost together
  /// When the last step ends, less what was so when they began; of the simulated plan's writers.
  Unsaved unsaved;
  Seconds known_to;  ///< that, where a page cache fills up: which one is the first to wait
  Spans around;      ///< one of them: what GPUs do, where the scenario's run asks for it
};

/// \param base  the same epochs without checkpoints. Where it is a whole simulation, or its epochs
///              are short and checkpoints frequent, they are simulated again with checkpoints where
///              they fall; else the cost of one is measured. Where the page cache takes more than
///              drives write, the same once more with a full one: as many checkpoints as find room
///              cost the one, all later ones the other.
SavedEpochs save_epochs(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                        const Record& base);

}  // namespace gpufeed
