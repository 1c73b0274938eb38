// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/job/activity.h"
#include "sim/job/record.h"
#include "sim/job/steady.h"
#include "sim/job/stop_rule.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Of the precision: nothing is said to be known any better. An epoch's fill and end, and what lies
/// between two counted steps, are carried over from a shorter one.
inline constexpr double kBestPrecision = 0.2;

/// What it takes to simulate a batch, in batches of readers that share a store evenly: where they
/// do not, each kind of share is worked out by itself (64 readers of ten kinds took eight times as
/// long).
std::size_t effort_of_batch(const Plan& plan);

/// Epochs too short to have a steady pace: how well their mean time is known, and whether that is
/// enough: once it is known to the precision, or what is `worth_knowing`, at two looks in a row, or
/// at one much better.
class EpochsMean {
 public:
  explicit EpochsMean(Ratio precision) : precision_(precision.value) {}

  /// Another epoch has ended. \param ends   of all so far
  /// \param whole  how many of them are whole; at least two
  /// \param batches  of all GPUs, so far, by the effort that they take
  void look(const std::vector<Seconds>& ends, std::size_t whole, double batches);

  /// Of a 95 % interval, relative; kUnknown before the first look.
  double half_width() const { return half_width_; }
  bool enough() const { return enough_; }

 private:
  double precision_;
  std::size_t next_look_ = 4;  ///< epochs
  double half_width_ = kUnknown;
  bool known_before_ = false;
  bool enough_ = false;
};

/// A run that has ended, for what its record says of its steps.
struct FinishedRun {
  const Plan& plan;
  const Epochs& epochs;
  const StopRule& stop;
  const SteadyState& steady;
  std::int64_t least_steps;                             ///< that the steady state took at least
  const std::vector<std::vector<TimeSpent>>& spent_at;  ///< of each GPU, at the ends of segments
};

/// What a steady step takes, and what GPUs do in it: after the warm-up, where there is one; else
/// after the first fill; where no pace lasts, in a step of those simulated.
/// \param record  of `ran`, the time spent included
void tell_steady_step(Record& record, const FinishedRun& ran);

/// How well the mean of all steps is known, and how far one run of them may lie off it. The steps
/// that are left take the mean of those that count, which is known to their number; those
/// simulated, and all steps of another run, have a mean of their own.
/// \param record  after tell_steady_step
void tell_precision(Record& record, const FinishedRun& ran);

}  // namespace gpufeed
