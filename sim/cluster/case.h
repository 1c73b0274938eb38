// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/model/cluster/policy.h"

namespace gpufeed::cluster {

inline constexpr int kMilli = 1000;       ///< parts of a GPU that jobs may share
inline constexpr double kInstant = 1e-6;  ///< s; dates less far apart are one instant
inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// Of cores and memory that nothing was said of.
inline constexpr std::int64_t kPlenty = std::int64_t{1} << 60;

inline std::size_t at(int number) { return static_cast<std::size_t>(number); }

/// A machine in numbers. Switch i of k holds its GPUs floor(i g / k) to floor((i + 1) g / k) - 1.
struct Node {
  int gpus = 0;
  int switches = 1;
  int type = 0;
  int pool = 0;
  std::int64_t cpu_milli = kPlenty;
  std::int64_t memory = kPlenty;
  double speed = 1;
  double link = kNever;   ///< B/s
  double mtbf = kNever;   ///< s between failures at random, beside those of the case
  double repair = 0;      ///< s after one of these
  double idle_W = 0;      ///< drawn when nothing computes
  double gpu_W = 0;       ///< beside that, by each GPU that computes
  double cost_per_s = 0;  ///< USD, whether it is used or not
  double cost_per_J = 0;  ///< USD of what it draws
};

struct Store {
  double bandwidth = 0;  ///< B/s
  double mtbf = kNever;  ///< s between failures at random, while which it delivers nothing
  double repair = 0;     ///< s that one takes
};

/// Who owns jobs. Without a quota: as many GPUs as there are.
struct User {
  double share = 1;
  std::int64_t quota_milli = kPlenty;
  int cohort = -1;                ///< whose users lend each other what they do not use; -1: none
  std::int64_t borrow_milli = 0;  ///< beyond the quota
};

/// A job in numbers; times in seconds of work at rate 1.
struct Job {
  double arrival = 0;
  int gpus = 1;            ///< 0: cores alone
  int milli = kMilli;      ///< of its GPU; less than kMilli only with one GPU
  std::vector<int> types;  ///< of nodes that it may have; empty: any
  int pool = 0;
  std::int64_t cpu_milli = 0;  ///< of the whole job
  std::int64_t memory = 0;     ///< the same
  double work = 0;
  double estimate = 0;
  double priority = 0;
  double io = 0;  ///< B/s at rate 1, of the work behind the two parts below
  int store = 0;
  double staging = 0;  ///< the first of its work, in which GPUs wait and `staging_io` is read
  double staging_io = 0;
  double cold = 0;  ///< the work behind that, which reads `cold_io`
  double cold_io = 0;
  double exact_length = 0;  ///< of the whole job if nothing disturbs it; 0: the sum of its parts'

  double checkpoint_every = kNever;
  double checkpoint_cost = 0;
  double checkpoint_size = 0;  ///< B that one writes to the store; 0: it leaves that alone
  double restart_cost = 0;
  double over_switches = 1;
  double over_nodes = 1;
  bool preemptible = false;
  double gpu_busy = 1;
  int user = 0;

  std::int64_t held_milli() const { return std::int64_t{gpus} * milli; }
};

/// A node goes away; or a node or a store is slow.
struct Failure {
  double at = 0;
  int node = 0;
  double repair = 0;
  bool of_store = false;  ///< `node` is a store's number
  double left = 0;        ///< part of its speed; of a node 0: it goes away
};

/// All that a scheduler is tried on. Nodes, jobs and stores are known by their numbers here; pools
/// are numbered in the order of their names.
struct Case {
  std::vector<Node> nodes;
  std::vector<Store> stores;
  std::vector<Job> jobs;
  std::vector<Failure> failures;
  std::vector<User> users{User{}};
  std::vector<std::int64_t> cohorts_milli;  ///< quotas of each cohort's users together
  int pools = 1;
  Policy policy;
  std::uint64_t seed = 1;  ///< of failures at random
  double until = kNever;   ///< what happens later does not count
};

}  // namespace gpufeed::cluster
