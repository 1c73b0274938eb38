// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/job/activity.h"
#include "sim/job/checkpoint_cost.h"
#include "sim/job/checkpoint_saver.h"
#include "sim/job/recorder.h"
#include "sim/job/steady.h"

namespace gpufeed {

/// Where an epoch was made shorter than it is: its pace was known, and the loaders were given no
/// more batches than they had begun with. The steps that were left out go between.
struct Cut {
  std::int64_t steps = 0;  ///< trained by then
  Seconds date;
  bool ran_dry = true;  ///< what the loaders had begun was trained, too
};

/// What a simulation saw.
struct Record {
  std::int64_t steps = 0;      ///< that the rest speaks of
  std::int64_t simulated = 0;  ///< the same, unless shorter epochs stood for longer ones
  Seconds first_step_end;
  Seconds first_step_own;           ///< of the first step: mean over GPUs until each has computed
  std::vector<Seconds> epoch_ends;  ///< of those simulated to their end
  Seconds last_ready;               ///< when the last batch had been decoded
  Seconds end;                      ///< of the last simulated step
  std::optional<Cut> cut;           ///< of the first epoch, or of epochs that run into one another
  std::vector<TimeSpent> spent;     ///< of each GPU, until the end
  Seconds filling;                  ///< of it, until the first batch of each epoch was there
  Confidence step_time;             ///< steady: of the first epoch, but for its fill and its end
  Pace pace = Pace::trained;        ///< where the step time was taken
  bool converged = false;
  double epochs_known = kUnknown;  ///< half width of the mean of the epochs simulated
  /// Half widths of 95 % intervals, relative, of the time of all epochs that are to be simulated:
  /// of its mean over runs with other random numbers, and of one such run about that mean.
  double known_to = kUnknown;
  double runs_differ = 0;
  std::vector<TimeSpent> steady_spent;  ///< of each GPU in one steady step
  Bytes read;                           ///< of the batches whose reading ended
  std::int64_t batches_read = 0;
  RecordedSteps recorded;                    ///< where the stop rule asks for it
  SaveLog saves;                             ///< until all is written
  Unsaved unsaved;                           ///< when the last step ended
  std::optional<CheckpointCost> checkpoint;  ///< where it was measured
};

}  // namespace gpufeed
