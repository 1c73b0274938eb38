// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/job/activity.h"

namespace gpufeed {

/// What a GPU did during a part of a step.
struct Span {
  std::int64_t step;
  Activity activity;
  double start_s;
  double end_s;
};

/// Spans by GPU of the plan, each GPU's one after the other.
using Spans = std::vector<std::vector<Span>>;

/// Some steps of a run; those that it did not come to are empty.
struct RecordedSteps {
  Spans first;          ///< with which it begins
  Spans later;          ///< at the steady pace, or from the middle of an epoch that has none
  Spans at_checkpoint;  ///< around its first one
};

/// Keeps what GPUs do in some steps of a run, as it goes by.
class Recorder {
 public:
  /// Of each stretch: a round of the workers of most loaders.
  static constexpr std::int64_t kSteps = 16;
  static constexpr std::size_t kMostGpus = 1024;

  /// \param gpus         of the plan; beyond the first `kMostGpus` none is kept
  /// \param epoch_steps  of an epoch
  Recorder(std::size_t gpus, std::int64_t epoch_steps);

  /// \param g  number of the GPU in the plan; its spans come in order
  void add(std::size_t g, const Span& span);
  /// A checkpoint follows the present step.
  void save_after(std::int64_t steps_before);
  /// \param steps       that are over
  /// \param pace_known  the last ones were at the steady pace; once
  void end_step(std::int64_t steps, bool pace_known);
  /// The run is over.
  RecordedSteps end();

 private:
  /// Of the last `kSteps` steps of each GPU, those from `step` on.
  Spans recent(std::int64_t step) const;

  const std::int64_t middle_;
  bool pace_known_ = false;
  std::optional<std::int64_t> saved_after_;  ///< the first checkpoint
  std::vector<std::deque<Span>> recent_;
  RecordedSteps steps_;
};

}  // namespace gpufeed
