// SPDX-License-Identifier: Apache-2.0
#include "sim/load/cluster/document.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/labels/label_text.h"
#include "sim/base/nearest.h"
#include "sim/load/chassis/machines.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/cluster/job_log.h"
#include "sim/load/read/front_door.h"
#include "sim/load/read/reader.h"
#include "sim/load/scenario_build.h"
#include "sim/load/stores/make_stores.h"
#include "sim/model/failures/machine.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using cluster::Document;
using cluster::JobRow;

constexpr std::int64_t kMostGpus = 10000000;

class Checker {
 public:
  Checker(const Document& document, Diagnostics& out) : document_(document), out_(out) {}

  void check() {
    for (const auto& group : document_.cluster.nodes) check(group);
    if (gpus_ > kMostGpus)
      out_.error(ProblemCode::too_large, document_.cluster.where,
                 "{} GPUs are too many (at most {})", text_number(static_cast<double>(gpus_), 15),
                 text_number(static_cast<double>(kMostGpus), 15));
    if (document_.cluster.nodes.empty())
      out_.error(ProblemCode::missing_key, document_.cluster.where,
                 "at least one [[cluster.nodes]] is needed");
    if (document_.cluster.jobs.empty() && document_.cluster.streams.empty())
      out_.error(ProblemCode::missing_key, document_.cluster.where,
                 "there are no jobs; give [[cluster.job]], [cluster.log] or [cluster.stream.NAME]");
    for (const auto& [name, store] : document_.stores) {
      stores_.push_back(name);
      if (!store.bandwidth)
        out_.error(ProblemCode::missing_key, store.where,
                   "store {} needs a model, servers or a bandwidth", name);
    }
    for (const auto& [name, stream] : document_.cluster.streams) check(name, stream);
    for (const JobRow& job : document_.cluster.jobs) check(job);
    for (const auto& failure : document_.cluster.failures) check(failure);
    if (document_.cluster.power_usage_effectiveness < 1 ||
        document_.cluster.power_usage_effectiveness > 10)
      out_.error(ProblemCode::out_of_range, document_.cluster.where,
                 "power_usage_effectiveness must lie from 1 to 10; found {}",
                 document_.cluster.power_usage_effectiveness);
    for (const auto& [name, user] : document_.cluster.users) {
      above_zero(user.where, "share of user " + name, user.share);
      if (user.quota) above_zero(user.where, "quota of user " + name, *user.quota);
      if (user.borrow && *user.borrow < 0)
        out_.error(ProblemCode::out_of_range, user.where,
                   "borrow of user {} must not be negative; found {}", name, *user.borrow);
      if (user.borrow && user.cohort.empty())
        out_.error(ProblemCode::missing_key, user.where,
                   "borrow of user {}: nobody lends without a cohort", name);
      if (!user.cohort.empty() && !user.quota)
        out_.error(ProblemCode::missing_key, user.where,
                   "user {} of cohort {} needs a quota: what is beyond it is borrowed", name,
                   user.cohort);
    }
    if (document_.cluster.scheduler) check(*document_.cluster.scheduler);
    for (const auto& [name, policy] : document_.cluster.policies) check(policy);
  }

 private:
  void above_zero(const Location& where, std::string_view what, double value) {
    if (value > 0) return;
    out_.error(ProblemCode::out_of_range, where, "{} must be above 0; found {}", what, value);
  }

  void check(const cluster::NodeGroup& group) {
    above_zero(group.where, "speed of nodes", group.speed);
    nodes_ += group.count;
    gpus_ += group.count * group.gpus.value_or(0);
    if (!group.gpus)
      out_.error(ProblemCode::missing_key, group.where, "cluster.nodes need gpus, or a system");
  }

  void check(const std::string& name, const cluster::Stream& stream) {
    const auto wrong = [&](const char* what) {
      out_.error(ProblemCode::conflict, stream.where, "stream {} {}", name, what);
    };
    if (!stream.length && !stream.scenario) wrong("needs a length, or a scenario that has one");
    if (stream.length && (stream.length->value <= 0 || *stream.length > cluster::kLongest))
      wrong("has a length that is not above 0 s");
    if (std::ranges::any_of(
            stream.at, [](Seconds date) { return date.value < 0 || date > cluster::kLongest; }))
      wrong("has a date in at that is before 0 s, or never");
    if (stream.every.has_value() == !stream.at.empty()) wrong("needs one of every and at");
    if (stream.every && !stream.count && !stream.until && !document_.workload.window)
      wrong("never ends; give count, until or the workload's window");
    if (!stream.weights.empty() && stream.weights.size() != stream.gpus.size())
      wrong("needs as many weights as there are sizes in gpus");
    for (const double gpus : stream.gpus)
      if (gpus < 0 || gpus > 1e6 || gpus != std::floor(gpus)) wrong("has gpus that are no count");
    double sum = stream.weights.empty() ? 1 : 0;
    for (const double weight : stream.weights) sum += weight;
    if (sum <= 0 || std::ranges::any_of(stream.weights, [](double w) { return w < 0; }))
      wrong("has weights below 0, or none above");
    if (stream.spread < 0 || stream.spread > 10) wrong("has a spread that is not from 0 to 10");
    above_zero(stream.where, "estimate of stream " + name, stream.estimate);
    above_zero(stream.where, "over_switches of stream " + name, stream.over_switches);
    above_zero(stream.where, "over_nodes of stream " + name, stream.over_nodes);
    if (stream.gpu_busy < 0 || stream.gpu_busy > 1) wrong("has a gpu_busy that is not from 0 to 1");
    if (!stream.store.empty() && !document_.stores.contains(stream.store))
      out_.error(ProblemCode::unknown_part, stream.where, "there is no store \"{}\"; {}",
                 stream.store, suggestion(stream.store, stores_));
    if (stream.io_per_gpu.value > 0 && stores_.empty()) wrong("needs a store to read from");
  }

  void check(const cluster::FailureRow& failure) {
    if (failure.node.has_value() == failure.store.has_value())
      out_.error(ProblemCode::conflict, failure.where, "a failure needs one of node and store");
    if (failure.node && *failure.node >= nodes_)
      out_.error(ProblemCode::out_of_range, failure.where,
                 "failure.node is {}; the nodes are numbered from 0 to {}", *failure.node,
                 nodes_ - 1);
    if (failure.store && !document_.stores.contains(*failure.store))
      out_.error(
          ProblemCode::unknown_part, failure.where, "there is no store \"{}\"; {}", *failure.store,
          stores_.empty() ? std::string("give [store.NAME]") : suggestion(*failure.store, stores_));
  }

  void check_parts(const JobRow& job) {
    if (job.staging_work + job.cold_work > job.work)
      out_.error(ProblemCode::conflict, job.where,
                 "staging_work and cold_work are parts of work, and together longer than it");
    if (job.checkpoint_size.value > 0 && job.checkpoint_cost.value <= 0)
      out_.error(ProblemCode::missing_key, job.where,
                 "checkpoint_size needs checkpoint_cost: how long writing one takes alone");
  }

  void check(const JobRow& job) {
    check_parts(job);
    above_zero(job.where, "over_switches", job.over_switches);
    above_zero(job.where, "over_nodes", job.over_nodes);
    if (job.gpu_busy < 0 || job.gpu_busy > 1)
      out_.error(ProblemCode::out_of_range, job.where, "gpu_busy must lie from 0 to 1; found {}",
                 job.gpu_busy);
    if (job.milli < 1000 && job.gpus != 1)
      out_.error(ProblemCode::conflict, job.where,
                 "milli below 1000 is a share of one GPU; this job has {}", job.gpus);
    if (!job.store.empty() && !document_.stores.contains(job.store)) {
      out_.error(
          ProblemCode::unknown_part, job.where, "there is no store \"{}\"; {}", job.store,
          stores_.empty() ? std::string("give [store.NAME]") : suggestion(job.store, stores_));
    } else if ((job.io.value > 0 || job.cold_io.value > 0 || job.staging_io.value > 0 ||
                job.checkpoint_size.value > 0) &&
               stores_.empty()) {
      out_.error(ProblemCode::missing_key, job.where,
                 "io needs a store to read from; give [store.NAME] bandwidth = \"10 GB/s\"");
    }
  }

  void check(const cluster::Policy& policy) {
    if (policy.storage_aware < 0)
      out_.error(ProblemCode::out_of_range, policy.where,
                 "storage_aware must not be below 0; found {}", policy.storage_aware);
    if (policy.reclaim == cluster::Reclaim::never) return;
    if (policy.backfill == cluster::Backfill::conservative)
      out_.error(ProblemCode::conflict, policy.where,
                 "reclaim stops nobody under conservative backfill, which plans for all who wait; "
                 "take skip, easy or none");
    const auto& users = document_.cluster.users;
    if (std::none_of(users.begin(), users.end(),
                     [](const auto& one) { return !one.second.cohort.empty(); }))
      out_.error(ProblemCode::missing_key, policy.where,
                 "reclaim needs users of a cohort: give [cluster.user.NAME] a quota and a cohort");
  }

  const Document& document_;
  Diagnostics& out_;
  Names stores_;
  std::int64_t nodes_ = 0;
  std::int64_t gpus_ = 0;
};

/// The jobs of the log stand behind the document's own.
void add_log(Document& document, const std::string& name, Diagnostics& out) {
  if (!document.cluster.log) return;
  const auto& log = *document.cluster.log;
  if (log.file.has_value() == log.rows.has_value()) {
    out.error(ProblemCode::conflict, log.where, "cluster.log needs one of file and rows");
    return;
  }
  std::vector<JobRow> rows;
  if (log.rows) {
    rows = parse_job_log(log.rows->text, log.rows->where, out);
  } else if (!log.file->path.empty()) {
    const fs::path file = fs::path(name).parent_path() / log.file->path;
    rows = load_job_log(file, out);
  }
  auto& jobs = document.cluster.jobs;
  jobs.insert(jobs.end(), std::make_move_iterator(rows.begin()),
              std::make_move_iterator(rows.end()));
}

/// Puts in what a system, or a model of a store, says of itself.
void describe(Document& document, Diagnostics& out) {
  for (auto& group : document.cluster.nodes) {
    if (!group.system || !*group.system) continue;
    const System& system = **group.system;
    std::set<std::string> hubs;
    for (const auto& gpu : system.gpus) hubs.insert(text_of(gpu.at.id));
    std::int64_t cores = 0;
    Bytes memory{-system.reserved_memory.value};
    for (const Socket& socket : system.sockets) {
      cores += socket.model->cores;
      memory += socket.memory;
    }
    if (!group.gpus) group.gpus = static_cast<std::int64_t>(system.gpus.size());
    if (!group.switches) group.switches = std::max<std::int64_t>(1, std::ssize(hubs));
    if (!group.cpu_milli) group.cpu_milli = cores * 1000;
    if (!group.memory) group.memory = memory;
    if (!group.power) group.power = system.power;
    if (!group.cost_per_hour && system.rent_per_hour) {
      group.cost_per_hour = system.rent_per_hour;
      group.rented = true;
    }
    if (group.mtbf || !group.parts_fail) continue;
    const double rate = failures_per_second(system, std::ssize(system.gpus)).rate;
    if (rate > 0)
      group.mtbf = Seconds{1 / rate};
    else
      out.error(ProblemCode::missing_key, group.where,
                "parts_fail: nothing in the catalog says how often {} or its parts fail; give mtbf",
                group.system->name);
  }
  for (auto& [name, store] : document.stores)
    if (store.model && *store.model && !store.bandwidth)
      store.bandwidth = (*store.model)->read_bandwidth;
}

/// Loads what streams run, with as many GPUs as each of their sizes says.
void load_runs(Document& document, const std::string& name, const Catalog& catalog,
               Diagnostics& out) {
  for (auto& [title, stream] : document.cluster.streams) {
    if (!stream.scenario || stream.scenario->path.empty()) continue;
    const fs::path file = fs::path(name).parent_path() / stream.scenario->path;
    std::vector<std::vector<Override>> sets;
    for (const double gpus : stream.gpus)
      sets.push_back({{KeyPath("workload.gpus"), fmt::format("{}", gpus), "gpus of " + title}});
    if (sets.empty()) sets.emplace_back();
    for (const auto& set : sets) try {
        stream.runs.push_back(std::make_shared<const Scenario>(load_scenario(file, catalog, set)));
      } catch (const InputError& error) {
        out.add(error.problems());
      }
  }
}

Document build(toml::table table, const std::string& name, const Catalog& catalog,
               const std::vector<Override>& overrides, Diagnostics& out) {
  Document document;
  if (is_of_other_kind(keys_of(table), name, FileKind::cluster, out)) return document;
  Reader reader(catalog, name, out);
  for (const Override& one : overrides) apply_override(table, one, reader, out);
  make_servers(table, reader, out);
  reader.read_table(table, "", document);
  tell_at_keys(table, name, out, [&](auto& found) { make_arrays(document.stores, found); });
  add_log(document, name, out);
  describe(document, out);
  load_runs(document, name, catalog, out);
  if (out.empty()) Checker(document, out).check();
  auto& jobs = document.cluster.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].id.empty()) jobs[i].id = std::to_string(i);
  return document;
}

auto builder(const Catalog& catalog, const std::vector<Override>& overrides) {
  return [&](toml::table& table, const std::string& name, Diagnostics& out) {
    return build(std::move(table), name, catalog, overrides, out);
  };
}

}  // namespace

Document parse_cluster(std::string_view text, const std::string& name, const Catalog& catalog,
                       const std::vector<Override>& overrides) {
  return built_from_text(text, name, builder(catalog, overrides));
}

Document load_cluster(const fs::path& file, const Catalog& catalog,
                      const std::vector<Override>& overrides) {
  return built_from_file(file, builder(catalog, overrides));
}

}  // namespace gpufeed
