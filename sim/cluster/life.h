// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "sim/cluster/outcome.h"

namespace gpufeed::cluster {

/// What a placement gives to a job.
struct Ability {
  double full = 1;        ///< rate of work that its nodes allow
  double limit = kNever;  ///< B/s that stores and links give it if nobody else is there
  double busy = 0;        ///< GPU-seconds a second of work
  double energy = 0;      ///< J a second of work
  double cost = 0;        ///< USD a second of work
};

/// Resources that what a job reads crosses, and which part of it: its store, then links of nodes.
/// They are numbered stores first, then nodes.
using Uses = std::vector<std::pair<int, double>>;
Uses uses_of(const Case& of, const Job& job, const Placement& placement);

/// Rate of work that its nodes allow. \param speeds  of each node, now
double full_rate_of(const Job& job, const Placement& placement, const std::vector<double>& speeds);

Ability ability_of(const Case& of, const Job& job, const Placement& placement,
                   const std::vector<double>& speeds);

/// A job as it goes through restart, work, checkpoint, work ... on one placement after the other.
/// Work is cut where what it reads changes.
class Life {
 public:
  explicit Life(const Job& job) : job_(&job), left_(job.work) {}

  void begin(double now, const Ability& ability, JobRecord& record);
  /// The segment ends. \return whether that was the last
  bool next(double now, JobRecord& record);
  /// It is stopped, and loses what is not saved.
  void stop(double now, JobRecord& record);
  /// Another rate, from now on. \param held_by  what keeps it from its full rate; -1: nothing
  void set_rate(double now, double rate, int held_by, JobRecord& record);
  /// Its nodes allow another rate.
  void set_full(double full) { can_.full = full; }
  /// Counts what was done until now.
  void advance(double now, JobRecord& record);

  bool runs() const { return runs_; }
  bool restarts() const { return runs_ && phase_ == Phase::restart; }
  /// B/s at rate 1 that this segment moves; 0: no store is in it
  double io() const { return runs_ ? io_ : 0; }
  double attempt_start() const { return start_; }
  double full_rate() const { return phase_ == Phase::work ? can_.full : 1; }
  double segment_end() const { return end_; }

 private:
  enum class Phase { restart, work, checkpoint };
  void begin_work(double now);
  void begin_part(double now);
  void begin_rated(double now, double length, double io);
  bool stages() const;
  void count(double work, double time, JobRecord& record);
  void saved();

  const Job* job_;
  bool runs_ = false;
  double start_ = 0;
  Phase phase_ = Phase::work;
  double left_;        ///< work that is not saved
  double piece_ = 0;   ///< of it, until the next checkpoint
  double worked_ = 0;  ///< of the piece
  double part_ = 0;    ///< of the segment, what is to be done
  double io_ = 0;
  Ability can_;
  double unsaved_busy_ = 0;
  bool smooth_ = false;  ///< nothing has disturbed it
  double smooth_since_ = 0;
  double rate_ = 0;
  int held_by_ = -1;
  double since_ = 0;  ///< the rate holds, and `part_` is as then
  double end_ = kNever;
};

}  // namespace gpufeed::cluster
