// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/job/activity.h"
#include "sim/job/checkpoint_saver.h"
#include "sim/job/steady.h"

namespace gpufeed {

/// What one checkpoint costs, and where the time of the GPUs goes around it.
struct CheckpointCost {
  Seconds cost;    ///< by which the training is longer
  Seconds spared;  ///< by the first ones, which need not wait for any before them; all together
  Seconds pause;
  Seconds write;
  /// That the page cache holds more of after each, by piece in the order of writers; empty where
  /// checkpoints do not meet.
  std::vector<Bytes> piled_up;
  double steps = 0;              ///< that `spent` covers, with one checkpoint
  std::vector<TimeSpent> spent;  ///< of each GPU
};

/// Measures the cost of a checkpoint in an epoch without end whose pace is known, over windows of
/// steps: each begins with a step that ends in a checkpoint and lasts until that is written and the
/// loaders' stock is back, at most until the next one is due. So long intervals are simulated in
/// part; short ones follow one another, several in a window where they are shorter than the
/// loader's cycle. The cost is the time of a window less its batches at the steady pace, both
/// counted where batches set that pace.
class CheckpointMeter {
 public:
  /// The state at the end of a step.
  struct Mark {
    Seconds date;
    std::int64_t steps = 0;
    Supply supply;
    SaveLog log;
    std::vector<TimeSpent> spent;
  };

  /// \param segment_steps  whole cycles of the loader
  /// \param precision      of the time of an interval with its checkpoint (95 % confidence)
  CheckpointMeter(const Plan& plan, std::int64_t segment_steps, Ratio precision);

  bool begun() const { return begun_; }
  /// The steady pace is known: the first window begins.
  void begin(const Confidence& step, Pace pace, const Mark& mark);

  /// Whether the next step ends with a checkpoint.
  bool due() const;
  /// A step ended.
  /// \return whether the window may be over, so that `end_window` wants a mark
  bool step_ended(bool writing);
  void end_window(const Mark& mark);

  bool done() const;
  CheckpointCost cost() const;

 private:
  struct Window {
    Mark start, end;
  };
  double passed_at(const Mark& mark) const;
  double cost_of(const Window& window) const;
  double stock_at(const Mark& mark) const;
  bool cut() const { return steps_ == interval_ * checkpoints_; }
  std::size_t first_used() const;
  std::size_t used() const { return windows_.size() - first_used(); }
  std::vector<double> costs() const;
  double mean_cost(Seconds pause) const;

  const std::int64_t interval_;
  const std::int64_t segment_steps_;
  const double precision_;
  const double undisturbed_s_;
  const double cycle_;              ///< by how many batches the stock swings anyway
  const double stock_;              ///< that the loaders of a GPU can hold
  const std::int64_t checkpoints_;  ///< in a window
  bool begun_ = false;
  bool any_cut_ = false;
  Confidence step_;
  Pace pace_ = Pace::trained;
  std::int64_t rest_ = 0;           ///< steps after a checkpoint that the loaders may need
  std::int64_t steps_ = 0;          ///< of the present window
  std::int64_t steps_at_rest_ = 0;  ///< of it since its checkpoint was written
  Mark start_;                      ///< of it
  double stock_at_start_ = 0;       ///< of the first
  std::vector<Window> windows_;
};

}  // namespace gpufeed
