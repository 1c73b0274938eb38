// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/system.h"
#include "sim/model/cluster/policy.h"
#include "sim/model/cluster/shared_store.h"
#include "sim/model/fields/named.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

struct Scenario;

}  // namespace gpufeed

namespace gpufeed::cluster {

enum class Kind { cluster };

}  // namespace gpufeed::cluster

namespace gpufeed {

template <>
struct EnumNames<cluster::Kind> {
  static constexpr std::array<std::string_view, 1> names{"cluster"};
};

}  // namespace gpufeed

// What a user says of a shared cluster, as its file has it.
namespace gpufeed::cluster {

/// Machines that are alike.
struct NodeGroup {
  std::int64_t count = 1;
  std::optional<Ref<System>> system;
  std::optional<std::int64_t> gpus;
  std::string type;
  std::optional<std::int64_t> switches;
  std::optional<std::int64_t> cpu_milli;
  std::optional<Bytes> memory;
  double speed = 1;
  std::optional<Bandwidth> link;
  std::string pool;
  std::optional<Seconds> mtbf;
  bool parts_fail = false;
  Seconds repair{};
  std::optional<Power> power;
  std::optional<Power> idle_power;
  std::optional<Money> cost_per_hour;
  bool rented = false;  ///< no key: the system is, and its rent holds the electricity
  Location where;

  /// Of its full power, what a machine draws that does nothing; an estimate: servers with eight
  /// GPUs draw a quarter to a third.
  static constexpr double kIdleShare = 0.3;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using N = NodeGroup;
    visit(key("count", &N::count, "how many of them").between(1, kMostCount));
    visit(key("system", &N::system,
              "what each is: its GPUs, switches, cores and memory, where the keys below do not say "
              "them"));
    visit(key("gpus", &N::gpus, "GPUs of one").between(0, 1024));
    visit(key("type", &N::type, "of its GPUs, as jobs name it in gpu_types"));
    visit(key("switches", &N::switches,
              "PCIe switches or sockets that its GPUs hang on in equal parts; default: 1")
              .between(1, 1024));
    visit(key("cpu_milli", &N::cpu_milli, "thousandths of a core; default: as many as are wanted")
              .between(0, std::int64_t{1} << 50));
    visit(key("memory", &N::memory, "default: as much as is wanted").between(0_B, 1000_PB));
    visit(key("speed", &N::speed, "rate of work beside that of other nodes"));
    visit(key("link", &N::link, "of the node to the stores; default: no limit")
              .between(Bandwidth{1}, kFastest));
    visit(key("pool", &N::pool, "jobs of the same pool may have it"));
    visit(key("mtbf", &N::mtbf, "mean time between failures of one, at random; default: never")
              .between(1_s, kLongest));
    visit(key("parts_fail", &N::parts_fail,
              "without mtbf: whether one fails as often as its system, or its parts, say in the "
              "catalog"));
    visit(key("repair", &N::repair, "how long one is then away").between(0_s, kLongest));
    visit(key("power", &N::power,
              "of one while all its GPUs compute; default: the system's, or not known")
              .between(0_W, 1e6_W));
    visit(key("idle_power", &N::idle_power,
              "of one that does nothing; default: 30 % of power, an estimate")
              .between(0_W, 1e6_W));
    visit(key("cost_per_hour", &N::cost_per_hour,
              "of one, used or not; default: the system's rent, which holds the electricity, or "
              "electricity alone")
              .between(0_USD, 1000000_USD));
  }
};

/// A job that is known by its length.
struct JobRow {
  std::string id;
  Seconds arrival{};
  std::int64_t gpus = 1;
  std::int64_t milli = 1000;
  std::vector<std::string> gpu_types;
  std::string pool;
  std::int64_t cpu_milli = 0;
  Bytes memory{};
  Seconds work{};
  std::optional<Seconds> estimate;
  std::string user;
  double priority = 0;
  Bandwidth io{};
  std::string store;
  std::optional<Seconds> checkpoint_every;
  Seconds checkpoint_cost{};
  Bytes checkpoint_size{};
  Seconds restart_cost{};
  Seconds staging_work{};
  Bandwidth staging_io{};
  Seconds cold_work{};
  Bandwidth cold_io{};
  double over_switches = 1;
  double over_nodes = 1;
  bool preemptible = false;
  double gpu_busy = 1;
  double exact_length = 0;  ///< no key: what simulate says of the whole job, s
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using J = JobRow;
    visit(key("id", &J::id, "its name; default: its number, from 0"));
    visit(key("arrival", &J::arrival, "when it is submitted").between(0_s, kLongest).needed());
    visit(key("gpus", &J::gpus, "0: cores alone").between(0, kMostCount));
    visit(key("milli", &J::milli, "thousandths of its GPU; below 1000 only with one GPU")
              .between(1, 1000));
    visit(key("gpu_types", &J::gpu_types, "types of nodes that it may have; default: any"));
    visit(key("pool", &J::pool, "whose nodes it may have"));
    visit(key("cpu_milli", &J::cpu_milli, "thousandths of a core, of the whole job")
              .between(0, std::int64_t{1} << 50));
    visit(key("memory", &J::memory, "of the whole job").between(0_B, 1000_PB));
    visit(key("work", &J::work, "how long it works at rate 1").between(0_s, kLongest).needed());
    visit(key("estimate", &J::estimate, "what its user says it takes; default: its work")
              .between(0_s, kLongest));
    visit(key("user", &J::user, "who submits it"));
    visit(key("priority", &J::priority, "the higher goes first, by that order").or_negative());
    visit(key("io", &J::io, "what it reads from its store at rate 1").between({0}, kFastest));
    visit(key("store", &J::store, "that it reads; default: the first"));
    visit(key("checkpoint_every", &J::checkpoint_every, "of work; default: none is taken")
              .between(1_us, kLongest));
    visit(key("checkpoint_cost", &J::checkpoint_cost, "how long it then stands still")
              .between(0_s, kLongest));
    visit(key("checkpoint_size", &J::checkpoint_size,
              "that one writes to its store, beside others; default: the store takes no notice")
              .between(0_B, 1000_PB));
    visit(key("staging_work", &J::staging_work,
              "of its work, the first: data are copied in, and its GPUs wait")
              .between(0_s, kLongest));
    visit(key("staging_io", &J::staging_io, "what it reads in that").between({0}, kFastest));
    visit(key("cold_work", &J::cold_work,
              "of its work behind that, what comes while nothing is in caches")
              .between(0_s, kLongest));
    visit(key("cold_io", &J::cold_io, "what it reads in that").between({0}, kFastest));
    visit(key("restart_cost", &J::restart_cost, "before it works again, where it was stopped")
              .between(0_s, kLongest));
    visit(key("over_switches", &J::over_switches, "its rate where its GPUs hang on several"));
    visit(key("over_nodes", &J::over_nodes, "its rate where they are in several nodes"));
    visit(key("preemptible", &J::preemptible, "whether one of higher priority may stop it"));
    visit(key("gpu_busy", &J::gpu_busy, "part of the time that its GPUs compute at full rate"));
  }
};

/// Jobs of a kind that come one after the other.
struct Stream {
  std::optional<FileRef> scenario;
  std::vector<double> gpus;
  std::vector<double> weights;
  std::optional<Seconds> length;
  double spread = 0;
  double estimate = 1;
  std::optional<Seconds> every;
  bool random = true;
  std::int64_t burst = 1;
  std::vector<Seconds> at;
  std::optional<std::int64_t> count;
  std::optional<Seconds> until;
  std::string user;
  std::string pool;
  double priority = 0;
  std::int64_t cpu_milli_per_gpu = 0;
  Bytes memory_per_gpu{};
  Bandwidth io_per_gpu{};
  std::string store;
  double over_switches = 1;
  double over_nodes = 1;
  std::optional<Seconds> checkpoint_every;
  Seconds checkpoint_cost{};
  Bytes checkpoint_size{};
  Seconds restart_cost{};
  bool preemptible = false;
  double gpu_busy = 1;
  /// Of the loader: `scenario` with as many GPUs as each of `gpus` says, or as it is.
  std::vector<std::shared_ptr<const Scenario>> runs = {};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using S = Stream;
    visit(key("scenario", &S::scenario,
              "what each job runs: its length, GPUs, reading and how busy they are; simulated "
              "once, alone"));
    visit(key("gpus", &S::gpus,
              "that a job has; one of several by chance; default: the scenario's, or 1"));
    visit(key("weights", &S::weights, "how likely each of gpus is; default: all alike"));
    visit(key("length", &S::length, "mean time of work; default: the scenario's"));
    visit(key("spread", &S::spread,
              "of lengths: standard deviation of their logarithm, of a lognormal of that mean"));
    visit(key("estimate", &S::estimate, "what users say it takes, over what it does"));
    visit(
        key("every", &S::every, "mean time between arrivals; or give at").between(1_us, kLongest));
    visit(key("random", &S::random, "exponential times between them; false: always the mean"));
    visit(key("burst", &S::burst, "so many at once, as much less often").between(1, 100000));
    visit(key("at", &S::at, "when they arrive"));
    visit(key("count", &S::count, "how many arrive; default: until, or the window, is over")
              .between(1, 10000000));
    visit(key("until", &S::until, "when the last arrives; default: the window")
              .between(0_s, kLongest));
    visit(key("user", &S::user, "who submits them"));
    visit(key("pool", &S::pool, "whose nodes they may have"));
    visit(key("priority", &S::priority, "the higher goes first, by that order").or_negative());
    visit(key("cpu_milli_per_gpu", &S::cpu_milli_per_gpu, "thousandths of a core")
              .between(0, std::int64_t{1} << 40));
    visit(key("memory_per_gpu", &S::memory_per_gpu, "host memory").between(0_B, 1000_PB));
    visit(key("io_per_gpu", &S::io_per_gpu, "what they read at rate 1; default: the scenario's")
              .between({0}, kFastest));
    visit(key("store", &S::store, "that they read; default: the first, or the scenario's"));
    visit(key("over_switches", &S::over_switches, "rate where its GPUs hang on several"));
    visit(key("over_nodes", &S::over_nodes, "rate where they are in several nodes"));
    visit(key("checkpoint_every", &S::checkpoint_every, "of work; default: none is taken")
              .between(1_us, kLongest));
    visit(key("checkpoint_cost", &S::checkpoint_cost, "how long a job then stands still")
              .between(0_s, kLongest));
    visit(key("checkpoint_size", &S::checkpoint_size,
              "that one writes to its store, beside others; default: the scenario's, or the store "
              "takes no notice")
              .between(0_B, 1000_PB));
    visit(key("restart_cost", &S::restart_cost, "before it works again, where it was stopped")
              .between(0_s, kLongest));
    visit(key("preemptible", &S::preemptible, "whether one of higher priority may stop them"));
    visit(key("gpu_busy", &S::gpu_busy,
              "part of the time that their GPUs compute; default: the scenario's"));
  }
};

/// Jobs in lines: CSV whose first line names keys of a job. Numbers without a unit are seconds,
/// bytes and bytes per second.
struct JobLog {
  std::optional<FileRef> file;
  std::optional<Literal> rows;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(
        key("file", &JobLog::file,
            "CSV: the first line names keys of [[cluster.job]], each other line is a job; numbers "
            "without a unit are seconds, bytes or bytes per second"));
    visit(key("rows", &JobLog::rows, "the same, here"));
  }
};

/// A node that goes away, or a node or a store that is slow for a while.
struct FailureRow {
  Seconds at{};
  std::optional<std::int64_t> node;
  std::optional<std::string> store;
  Seconds repair{};
  Ratio left{0};
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using F = FailureRow;
    visit(key("at", &F::at, "when").between(0_s, kLongest).needed());
    visit(key("node", &F::node, "its number, from 0, through all groups of nodes")
              .between(0, kMostCount));
    visit(key("store", &F::store, "instead of a node: one of the stores"));
    visit(key("repair", &F::repair, "how long it is away or slow; 0: it comes back at once")
              .between(0_s, kLongest));
    visit(key("left", &F::left,
              "part of its speed: a straggler, a degraded store. 0: a node goes away and its jobs "
              "stop, a store keeps its readers waiting")
              .between(0_percent, 100_percent));
  }
};

/// Whose jobs they are.
struct UserShare {
  double share = 1;
  std::optional<double> quota;
  std::string cohort;
  std::optional<double> borrow;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("share", &UserShare::share, "of the cluster, beside those of others; order fair"));
    visit(key("quota", &UserShare::quota, "GPUs that their jobs may have at once; default: all"));
    visit(key("cohort", &UserShare::cohort,
              "users of a name lend each other what of their quotas they do not use; default: "
              "nobody lends"));
    visit(key("borrow", &UserShare::borrow,
              "GPUs beyond their quota that they may have of their cohort; default: all that "
              "others leave"));
  }
};

struct ClusterTable {
  std::vector<NodeGroup> nodes;
  std::vector<JobRow> jobs;
  std::optional<JobLog> log;
  Named<Stream> streams;
  std::int64_t seed = 1;
  std::vector<FailureRow> failures;
  Named<UserShare> users;
  std::optional<Policy> scheduler;
  Named<Policy> policies;
  std::int64_t repeats = 4;
  Money electricity_per_kwh{0.12};
  double power_usage_effectiveness = 1.4;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = ClusterTable;
    visit(key("nodes", &C::nodes, "machines, numbered in order").needed());
    visit(key("job", &C::jobs, "what is submitted; the log's follow"));
    visit(key("log", &C::log, "many jobs, a line each"));
    visit(key("stream", &C::streams, "jobs drawn at random, or of a scenario, by name"));
    visit(key("seed", &C::seed, "of what is drawn: streams and failures").between(0, 4294967295));
    visit(key("failure", &C::failures, "when nodes fail"));
    visit(key("user", &C::users, "shares and quotas of users, by name"));
    visit(key("scheduler", &C::scheduler, "who starts when, and where"));
    visit(key("policy", &C::policies, "other schedulers to hold beside it, by name"));
    visit(
        key("repeats", &C::repeats,
            "how often it is done again with lengths that differ by 0.1 % at most: where jobs end "
            "together, that can change who waits")
            .between(0, 1000));
    visit(key("electricity_per_kwh", &C::electricity_per_kwh, "price of a kilowatt-hour")
              .between(0_USD, 100_USD));
    visit(key("power_usage_effectiveness", &C::power_usage_effectiveness,
              "power of the whole building over that of its machines (PUE), 1 to 10"));
  }
};

struct ClusterWorkload {
  Kind kind = Kind::cluster;
  std::optional<Seconds> window;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using W = ClusterWorkload;
    visit(key("kind", &W::kind, "jobs that share machines and stores under a scheduler").needed());
    visit(key("window", &W::window,
              "what happens later, from time 0 on, does not count; default: all jobs end")
              .between(1_us, kLongest));
  }
};

/// A file of kind "cluster".
struct Document {
  std::int64_t schema = 1;
  std::string title;
  ClusterWorkload workload;
  ClusterTable cluster;
  Named<SharedStore> stores;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using D = Document;
    visit(key("schema", &D::schema, "version of this file format").between(1, 1));
    visit(key("title", &D::title, "for the reader"));
    visit(key("workload", &D::workload, "what is simulated").needed());
    visit(key("cluster", &D::cluster, "machines, jobs and scheduler").needed());
    visit(key("store", &D::stores, "shared stores, by name"));
  }
};

}  // namespace gpufeed::cluster
