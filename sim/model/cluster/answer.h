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
  std::optional<double> energy_kWh;
  std::optional<double> cost_USD;

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
    visit(key("energy_kWh", &G::energy_kWh,
              "that they drew, with their part of what their nodes draw idle; null: not known"));
    visit(key("cost_USD", &G::cost_USD,
              "of their part of their nodes' time, and of electricity; null: not known"));
  }
};

/// How far a store was asked, and whom it held back.
struct StoreUse {
  std::string name;
  double bandwidth_Bps = 0;
  double bytes = 0;
  double written_bytes = 0;
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
    visit(key("written_bytes", &S::written_bytes, "of checkpoints, written to it"));
    visit(key("mean_load", &S::mean_load, "part of its bandwidth, the makespan through"));
    visit(key("full_s", &S::full_s, "how long it gave all it has"));
    visit(key("jobs_slowed", &S::jobs_slowed,
              "that it held back because others used it, by 0.1 % of their time at least"));
    visit(key("slowed_s", &S::slowed_s, "what they took longer than alone for it, in all"));
    visit(key("slowed_gpu_h", &S::slowed_gpu_h, "times their GPUs"));
  }
};

/// The links of nodes to the stores, of one group of nodes.
struct LinkUse {
  std::int64_t first_node = 0;
  std::int64_t nodes = 0;
  double bandwidth_Bps = 0;
  std::int64_t jobs_slowed = 0;
  double slowed_s = 0;
  double slowed_gpu_h = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using L = LinkUse;
    visit(key("first_node", &L::first_node, "its number; those behind it are alike"));
    visit(key("nodes", &L::nodes, "how many"));
    visit(key("bandwidth_Bps", &L::bandwidth_Bps, "of each one's link"));
    visit(key("jobs_slowed", &L::jobs_slowed, "as of a store"));
    visit(key("slowed_s", &L::slowed_s, "as of a store"));
    visit(key("slowed_gpu_h", &L::slowed_gpu_h, "times their GPUs"));
  }
};

/// What was drawn and paid.
struct EnergyUse {
  double energy_kWh = 0;
  double idle_kWh = 0;
  double cost_USD = 0;
  double idle_cost_USD = 0;
  bool electricity_alone = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using E = EnergyUse;
    visit(key("energy_kWh", &E::energy_kWh, "drawn by nodes that are up, the makespan through"));
    visit(key("idle_kWh", &E::idle_kWh, "of it, while no job had them"));
    visit(key("cost_USD", &E::cost_USD, "of all nodes the makespan through, and electricity"));
    visit(key("idle_cost_USD", &E::idle_cost_USD, "of it, while no job had them"));
    visit(key("electricity_alone", &E::electricity_alone,
              "no node says a cost_per_hour, so that this is all"));
  }
};

/// Means of a stretch of time.
struct LoadSlice {
  double start_s = 0;
  double end_s = 0;
  double waiting = 0;
  double allocated_gpus = 0;
  std::vector<double> stores_Bps;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using L = LoadSlice;
    visit(key("start_s", &L::start_s, "when it begins"));
    visit(key("end_s", &L::end_s, "and ends"));
    visit(key("waiting", &L::waiting, "jobs in queues"));
    visit(key("allocated_gpus", &L::allocated_gpus, "that jobs hold, shares as such"));
    visit(key("stores_Bps", &L::stores_Bps, "that each store delivers and takes"));
  }
};

/// A piece of a job's time on machines, as it is drawn.
struct JobBar {
  std::size_t job = 0;
  double start_s = 0;
  double end_s = 0;
  std::vector<int> nodes = {};
  std::vector<std::vector<int>> gpus = {};  ///< of each of these
  bool finished = false;
  double share = 1;  ///< of each GPU that it holds
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
  std::string held_back_by;
  double held_back_s = 0;
  double allocated_gpu_h = 0;
  double busy_gpu_h = 0;
  double lost_gpu_h = 0;
  double bytes = 0;
  std::optional<double> energy_kWh;
  std::optional<double> cost_USD;

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
    visit(key("held_back_by", &J::held_back_by,
              "the store, or the link of which node, that others used at the same time and that "
              "cost it most; empty: none"));
    visit(key("held_back_s", &J::held_back_s, "what all of them cost it, checkpoints included"));
    visit(key("allocated_gpu_h", &J::allocated_gpu_h, "held"));
    visit(key("busy_gpu_h", &J::busy_gpu_h, "of these, computing"));
    visit(key("lost_gpu_h", &J::lost_gpu_h, "of these, not saved when it was stopped"));
    visit(key("bytes", &J::bytes, "read"));
    visit(key("energy_kWh", &J::energy_kWh, "as of a user"));
    visit(key("cost_USD", &J::cost_USD, "as of a user"));
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

/// Something else, tried with the same jobs; a pair of runs for the answer and for each repeat.
struct ClusterChange {
  std::string change;
  double mean_wait_s = 0;
  double mean_turnaround_s = 0;
  double jobs_per_h = 0;
  double gain = 0;
  double gain_least = 0;
  double gain_most = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = ClusterChange;
    visit(key("change", &C::change, "in words"));
    visit(key("mean_wait_s", &C::mean_wait_s, "with it, mean of all runs"));
    visit(key("mean_turnaround_s", &C::mean_turnaround_s, "with it, mean of all runs"));
    visit(key("jobs_per_h", &C::jobs_per_h, "with it, mean of all runs"));
    visit(key("gain", &C::gain,
              "by how much jobs are through sooner: mean turnaround as it is over that with it, "
              "less 1; in a window, jobs done with it over those as it is; mean of all runs")
              .or_negative());
    visit(key("gain_least", &C::gain_least, "of the runs").or_negative());
    visit(key("gain_most", &C::gain_most, "of the runs").or_negative());
  }
};

/// What one scheduler did.
struct Answer {
  std::string title;
  std::string name;
  Policy scheduler;
  std::string command;
  std::int64_t nodes = 0;
  std::int64_t gpus = 0;
  Totals totals;
  Spread wait_s;
  Spread turnaround_s;
  Spread bounded_slowdown;
  std::vector<JobGroup> users;
  std::vector<JobGroup> sizes;
  std::vector<StoreUse> stores;
  std::vector<LinkUse> links;
  double goodput = 0;
  std::optional<EnergyUse> energy;
  std::vector<LoadSlice> load;
  std::vector<int> node_gpus;  ///< no key: of each node
  std::vector<JobBar> bars;    ///< no key: in the order of their ends
  std::int64_t repeats = 0;
  bool is_drawn = false;
  std::vector<RepeatedValue> repeated;
  std::vector<ClusterChange> changes;
  std::vector<JobAnswer> jobs;
  std::vector<Answer> policies;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using A = Answer;
    visit(key("title", &A::title, "of the file"));
    visit(key("name", &A::name, "of the scheduler"));
    visit(key("scheduler", &A::scheduler, "who started when, and where"));
    visit(key("command", &A::command,
              "another's scheduler, which started them in its place; empty: none did"));
    visit(key("nodes", &A::nodes, "machines"));
    visit(key("gpus", &A::gpus, "of all of them"));
    visit(key("totals", &A::totals, "all jobs together"));
    visit(key("wait_s", &A::wait_s, "from arrival to first start, of jobs that finished"));
    visit(key("turnaround_s", &A::turnaround_s, "from arrival to end"));
    visit(key("bounded_slowdown", &A::bounded_slowdown, "turnaround over work"));
    visit(key("users", &A::users, "the same of each user's jobs"));
    visit(key("sizes", &A::sizes, "the same of jobs of as many GPUs"));
    visit(key("stores", &A::stores, "what was read from each"));
    visit(key("links", &A::links, "of nodes that say their link: whom they held back"));
    visit(key("goodput", &A::goodput, "useful over allocated GPU-hours"));
    visit(key("energy", &A::energy, "null: not all nodes say their power"));
    visit(key("load", &A::load, "of stores and queues over time"));
    visit(key("repeats", &A::repeats, "with lengths that differ by 0.1 % at most"));
    visit(key("is_drawn", &A::is_drawn, "whether streams or failures are other ones in each"));
    visit(key("repeated", &A::repeated, "what they make of some totals"));
    visit(key("changes", &A::changes,
              "what something else would give, the best first; empty unless it was asked for"));
    visit(key("jobs", &A::jobs, "in the order of the file"));
    visit(key("policies", &A::policies, "the same of other schedulers"));
  }
};

}  // namespace gpufeed::cluster
