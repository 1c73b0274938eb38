// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cluster/outcome.h"

namespace gpufeed::cluster {

/// A job as it goes through restart, work, checkpoint, work ... on one placement after the other.
class Life {
 public:
  explicit Life(const Job& job) : job_(&job), left_(job.work) {}

  /// Begins an attempt. \param full, alone  rates of work when nobody disturbs it: what its nodes
  /// allow, and what stores and links allow as well \param busy  GPU-seconds a second of work
  void begin(double now, double full, double alone, double busy, JobRecord& record);
  /// The segment ends. \return whether that was the last
  bool next(double now, JobRecord& record);
  /// It is stopped, and loses what is not saved.
  void stop(double now, JobRecord& record);
  /// Another rate of work, from now on.
  void set_rate(double now, double rate, JobRecord& record);
  /// Counts what was done until now.
  void advance(double now, JobRecord& record);

  bool runs() const { return runs_; }
  bool works() const { return runs_ && phase_ == Phase::work; }
  double attempt_start() const { return start_; }
  double full_rate() const { return full_; }
  double rate() const { return rate_; }
  double segment_end() const { return end_; }

 private:
  enum class Phase { restart, work, checkpoint };
  void begin_work(double now);
  void count(double work, double time, JobRecord& record) const;
  void saved() { left_ -= piece_; }

  const Job* job_;
  bool runs_ = false;
  double start_ = 0;
  Phase phase_ = Phase::work;
  double left_;        ///< work that is not saved
  double piece_ = 0;   ///< of it, in this segment and the checkpoint behind it
  double undone_ = 0;  ///< of the piece
  double full_ = 1;
  double alone_ = 1;
  double busy_ = 0;
  double rate_ = 0;
  double since_ = 0;  ///< the rate holds, and `undone_` is as then
  double end_ = kNever;
};

}  // namespace gpufeed::cluster
