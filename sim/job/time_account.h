// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/job/activity.h"
#include "sim/job/loaders/batch_loaders.h"
#include "sim/job/recorder.h"

namespace gpufeed {

/// When a GPU's processors began and ended to work on a batch, and until when they decoded it.
struct Computed {
  Seconds start, decoded, end;
};

/// What else a batch of a GPU waited for, one after the other: the GPU has nothing else to do from
/// `from` on, a checkpoint before it ends at `stopped`, the last GPU has computed at `computed`,
/// the exchange ends at `exchanged`, a checkpoint that follows at `until`.
struct Waits {
  Seconds from, stopped, computed, exchanged, until;
};

/// What the GPUs do with their time.
class TimeAccount {
 public:
  /// \param recorder  is told all that is accounted for; may be null
  /// \p plan must outlive it.
  TimeAccount(const Plan& plan, Recorder* recorder)
      : plan_(plan), spent_(plan.gpus.size()), recorder_(recorder) {}

  /// From `from` until the end of computing: waiting for the batch and for others, and computing,
  /// what the GPU's processors decode included.
  static TimeSpent until_computed(Seconds from, const Batch& used, const Computed& computed);

  /// Splits the time that a GPU took for a batch: a checkpoint that it waited for, until it has
  /// computed, of it what other stages of its pipeline do, waiting for the GPU that computes last,
  /// the exchange, and the checkpoint that follows. That one is waited for because it computes
  /// longer, or because it has waited longer itself, for data: then that is what all wait for, each
  /// cause in proportion to its length.
  /// \param g     number of the GPU in the plan
  /// \param step that the batch is trained in
  /// \param last  what the GPU did until it had computed that did so last
  void add(std::size_t g, std::int64_t step, const Batch& used, const Computed& computed,
           const Waits& waits, const TimeSpent& last);

  const std::vector<TimeSpent>& spent() const { return spent_; }  ///< of each GPU

 private:
  const Plan& plan_;
  std::vector<TimeSpent> spent_;
  Recorder* recorder_;
};

}  // namespace gpufeed
