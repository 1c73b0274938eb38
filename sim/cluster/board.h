// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include "sim/cluster/machines.h"

namespace gpufeed::cluster {

/// What the jobs that run ask of a store.
struct StoreLoad {
  double io = 0;  ///< B/s, at full rate
  int jobs = 0;
};

/// What is free, and what stores are asked for: now, or at another time of a plan.
struct Room {
  Machines machines;
  std::vector<StoreLoad> stores;

  explicit Room(const Case& of) : machines(of), stores(of.stores.size()) {}
  void take(const Job& job, const Placement& at);
  void give(const Job& job, const Placement& at);
};

/// Whether the stores let a job start. \param aware  Policy::storage_aware; 0: always
bool stores_let(const Case& of, const std::vector<StoreLoad>& stores, const Job& job, double aware);

/// An attempt that runs.
struct Running {
  int job = 0;
  double start = 0;
  Placement at;
};

/// The date at which the scheduler expects it to end: its start and the estimate, twice, four
/// times ... it.
double expected_end(const Running& one, const Job& job, double now);

/// A job that a pass started or stopped.
struct Decision {
  int job = 0;
  bool starts = false;
};

/// What a scheduler sees and does: what runs, what waits, and its decisions in turn.
struct Board {
  explicit Board(const Case& of);

  const Case* of;
  double now = 0;
  Room room;
  std::vector<Running> running;          ///< in no order
  std::vector<std::vector<int>> queues;  ///< of each pool, in the order of the policy
  std::vector<double> used;              ///< GPU-seconds of each user, so far
  std::vector<std::int64_t> held_milli;  ///< by each user
  std::vector<std::int64_t> held_of_cohort_milli;
  std::vector<Decision> decisions;    ///< of the last pass, in turn
  std::int64_t waiting = 0;           ///< jobs in the queues
  std::int64_t waiting_for_gpus = 0;  ///< of these, those that want GPUs

  const Job& job(int number) const { return of->jobs[static_cast<std::size_t>(number)]; }
  const Running* find(int job) const;
  void enqueue(int job);
  void start(int job, Placement at);
  /// It ends, or is stopped; gives back what it held. Nobody puts it into its queue again.
  void stop(int job);
  /// Whether its user, or the cohort that lends to them, would have too much.
  bool over_quota(const Job& job) const;
  /// Whether its user would have no more than their own quota.
  bool within_own_quota(const Job& job) const;
  /// Jobs alike in all that machines are asked for have one number.
  int needs(int job) const { return needs_[static_cast<std::size_t>(job)]; }
  std::size_t count_of_needs() const { return count_of_needs_; }
  /// Where the order depends on what users have had.
  void sort_queues();

 private:
  std::tuple<double, double, int> rank(int job) const;
  void hold(const Job& job, std::int64_t milli);

  std::vector<int> needs_;
  std::size_t count_of_needs_ = 0;
  std::vector<int> place_in_running_;  ///< of each job; -1: it does not run
};

/// One pass over all queues: starts whom the policy lets start, and stops whom it takes the place
/// of; those return to the queue.
void schedule(Board& board);

/// The same of jobs in one queue, by conservative backfill.
void schedule_conservatively(Board& board, int pool, double aware);

}  // namespace gpufeed::cluster
