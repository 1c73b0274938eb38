// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/field.h"

namespace gpufeed::cluster {

/// What a cluster did with its jobs. Means are over jobs that finished.
struct Totals {
  std::int64_t jobs_done = 0;
  std::int64_t jobs_refused = 0;
  double makespan_s = 0;
  double mean_wait_s = 0;
  double max_wait_s = 0;
  double mean_turnaround_s = 0;
  double mean_bounded_slowdown = 0;
  double capacity_gpu_h = 0;
  double allocated_gpu_h = 0;
  double busy_gpu_h = 0;
  double useful_gpu_h = 0;
  double lost_gpu_h = 0;
  double stranded_gpu_h = 0;
  double bytes = 0;
  double mean_interference = 1;
  double jobs_per_h = 0;
  double allocated_share = 0;
  double busy_share = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = Totals;
    visit(key("jobs_done", &T::jobs_done, "that finished"));
    visit(key("jobs_refused", &T::jobs_refused, "that a whole, empty cluster could not hold"));
    visit(key("makespan_s", &T::makespan_s, "from the first arrival to the last end").as_time());
    visit(key("mean_wait_s", &T::mean_wait_s, "from arrival to first start").as_time());
    visit(key("max_wait_s", &T::max_wait_s, "the longest of these").as_time());
    visit(key("mean_turnaround_s", &T::mean_turnaround_s, "from arrival to end").as_time());
    visit(key("mean_bounded_slowdown", &T::mean_bounded_slowdown,
              "turnaround over work, of which 10 s are taken at least; never below 1"));
    visit(key("capacity_gpu_h", &T::capacity_gpu_h, "all GPUs, the makespan through"));
    visit(key("allocated_gpu_h", &T::allocated_gpu_h,
              "held by jobs, restarts and checkpoints included; shares of GPUs as such"));
    visit(key("busy_gpu_h", &T::busy_gpu_h, "of these, computing"));
    visit(key("useful_gpu_h", &T::useful_gpu_h,
              "of these, what jobs that finished did not lose to failures and preemption"));
    visit(key("lost_gpu_h", &T::lost_gpu_h, "computed and not saved when a job was stopped"));
    visit(key("stranded_gpu_h", &T::stranded_gpu_h,
              "free on nodes that are up while a job waits for GPUs"));
    visit(key("bytes", &T::bytes, "read from stores"));
    visit(key("mean_interference", &T::mean_interference,
              "time at work over what it takes with nobody else on stores and links"));
    visit(key("jobs_per_h", &T::jobs_per_h, "finished, of the makespan").as_rate());
    visit(key("allocated_share", &T::allocated_share, "allocated over capacity"));
    visit(key("busy_share", &T::busy_share, "busy over capacity"));
  }
};

}  // namespace gpufeed::cluster
