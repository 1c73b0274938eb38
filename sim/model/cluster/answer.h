// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/cluster/policy.h"
#include "sim/model/cluster/totals.h"

// What a shared cluster did with its jobs, as it is shown.
namespace gpufeed::cluster {

struct Spread {
  double mean = 0;
  double median = 0;
  double p95 = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("mean", &Spread::mean, "of all"));
    visit(key("median", &Spread::median, "half are at most so large"));
    visit(key("p95", &Spread::p95, "95 % are at most so large"));
  }
};

/// Jobs that have something in common, and finished.
struct JobGroup {
  std::string name;
  std::int64_t jobs = 0;
  Spread wait_s;
  Spread turnaround_s;
  Spread bounded_slowdown;
  double allocated_gpu_h = 0;
  double busy_gpu_h = 0;
  double useful_gpu_h = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using G = JobGroup;
    visit(key("name", &G::name, "of the user, or how many GPUs a job has"));
    visit(key("jobs", &G::jobs, "that finished"));
    visit(key("wait_s", &G::wait_s, "from arrival to first start"));
    visit(key("turnaround_s", &G::turnaround_s, "from arrival to end"));
    visit(key("bounded_slowdown", &G::bounded_slowdown, "turnaround over work"));
    visit(key("allocated_gpu_h", &G::allocated_gpu_h, "held"));
    visit(key("busy_gpu_h", &G::busy_gpu_h, "of these, computing"));
    visit(key("useful_gpu_h", &G::useful_gpu_h, "of these, not lost"));
  }
};

/// How far a store was asked, and whom it held back.
struct StoreUse {
  std::string name;
  double bandwidth_Bps = 0;
  double bytes = 0;
  double mean_load = 0;
  double full_s = 0;
  std::int64_t jobs_slowed = 0;
  double slowed_s = 0;
  double slowed_gpu_h = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = StoreUse;
    visit(key("name", &S::name, "as the file has it"));
    visit(key("bandwidth_Bps", &S::bandwidth_Bps, "that it has"));
    visit(key("bytes", &S::bytes, "read from it"));
    visit(key("mean_load", &S::mean_load, "part of its bandwidth, the makespan through"));
    visit(key("full_s", &S::full_s, "how long it gave all it has"));
    visit(key("jobs_slowed", &S::jobs_slowed,
              "its readers that others held back, by 0.1 % at least"));
    visit(key("slowed_s", &S::slowed_s, "what its readers took longer than alone, in all"));
    visit(key("slowed_gpu_h", &S::slowed_gpu_h, "times their GPUs"));
  }
};

/// A job, and what became of it.
struct JobAnswer {
  std::string id;
  std::string user;
  std::string pool;
  double arrival_s = 0;
  std::optional<double> start_s, end_s;
  bool refused = false;
  std::int64_t attempts = 0;
  std::vector<std::int64_t> nodes;
  std::vector<std::vector<std::int64_t>> gpus;
  double interference = 1;
  double allocated_gpu_h = 0;
  double busy_gpu_h = 0;
  double lost_gpu_h = 0;
  double bytes = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using J = JobAnswer;
    visit(key("id", &J::id, "its name"));
    visit(key("user", &J::user, "whose it is"));
    visit(key("pool", &J::pool, "whose nodes it may have"));
    visit(key("arrival_s", &J::arrival_s, "when it was submitted"));
    visit(key("start_s", &J::start_s, "its first start; null: it never did"));
    visit(key("end_s", &J::end_s, "null: it did not end"));
    visit(key("refused", &J::refused, "a whole, empty cluster could not hold it"));
    visit(key("attempts", &J::attempts, "how often it was started"));
    visit(key("nodes", &J::nodes, "of the last attempt"));
    visit(key("gpus", &J::gpus, "of each of these"));
    visit(key("interference", &J::interference,
              "time at work over what it takes with nobody else on stores and links"));
    visit(key("allocated_gpu_h", &J::allocated_gpu_h, "held"));
    visit(key("busy_gpu_h", &J::busy_gpu_h, "of these, computing"));
    visit(key("lost_gpu_h", &J::lost_gpu_h, "of these, not saved when it was stopped"));
    visit(key("bytes", &J::bytes, "read"));
  }
};

/// One number over repeats.
struct RepeatedValue {
  std::string name;
  double told = 0;
  double mean = 0;
  double least = 0;
  double most = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = RepeatedValue;
    visit(key("name", &R::name, "of totals"));
    visit(key("told", &R::told, "with the lengths as they are"));
    visit(key("mean", &R::mean, "of the repeats and that"));
    visit(key("least", &R::least, "of all"));
    visit(key("most", &R::most, "of all"));
  }
};

/// What one scheduler did.
struct Answer {
  std::string title;
  std::string name;
  Policy scheduler;
  std::int64_t nodes = 0;
  std::int64_t gpus = 0;
  Totals totals;
  Spread wait_s;
  Spread turnaround_s;
  Spread bounded_slowdown;
  std::vector<JobGroup> users;
  std::vector<JobGroup> sizes;
  std::vector<StoreUse> stores;
  std::int64_t repeats = 0;
  std::vector<RepeatedValue> repeated;
  std::vector<JobAnswer> jobs;
  std::vector<Answer> policies;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using A = Answer;
    visit(key("title", &A::title, "of the file"));
    visit(key("name", &A::name, "of the scheduler"));
    visit(key("scheduler", &A::scheduler, "who started when, and where"));
    visit(key("nodes", &A::nodes, "machines"));
    visit(key("gpus", &A::gpus, "of all of them"));
    visit(key("totals", &A::totals, "all jobs together"));
    visit(key("wait_s", &A::wait_s, "from arrival to first start, of jobs that finished"));
    visit(key("turnaround_s", &A::turnaround_s, "from arrival to end"));
    visit(key("bounded_slowdown", &A::bounded_slowdown, "turnaround over work"));
    visit(key("users", &A::users, "the same of each user's jobs"));
    visit(key("sizes", &A::sizes, "the same of jobs of as many GPUs"));
    visit(key("stores", &A::stores, "what was read from each"));
    visit(key("repeats", &A::repeats, "with lengths that differ by 0.1 % at most"));
    visit(key("repeated", &A::repeated, "what they make of some totals"));
    visit(key("jobs", &A::jobs, "in the order of the file"));
    visit(key("policies", &A::policies, "the same of other schedulers"));
  }
};

}  // namespace gpufeed::cluster
