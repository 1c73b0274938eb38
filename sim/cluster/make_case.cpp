// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/make_case.h"

#include <cmath>
#include <map>
#include <set>

namespace gpufeed::cluster {
namespace {

using Numbers = std::map<std::string, int>;

/// The name's number; the next one where it has none.
int number_of(Numbers& numbers, const std::string& name) {
  return numbers.try_emplace(name, static_cast<int>(numbers.size())).first->second;
}

Numbers pools_of(const Document& document) {
  std::set<std::string> names;
  for (const NodeGroup& group : document.cluster.nodes) names.insert(group.pool);
  for (const JobRow& job : document.cluster.jobs) names.insert(job.pool);
  Numbers out;
  for (const std::string& name : names) number_of(out, name);
  return out;
}

std::int64_t whole(Bytes bytes) { return static_cast<std::int64_t>(std::llround(bytes.value)); }

/// \param joule  what one costs, USD
Node node_of(const NodeGroup& group, int type, int pool, double joule) {
  Node node;
  node.gpus = static_cast<int>(*group.gpus);
  node.switches = static_cast<int>(group.switches.value_or(1));
  node.type = type;
  node.pool = pool;
  node.cpu_milli = group.cpu_milli.value_or(kPlenty);
  node.memory = group.memory ? whole(*group.memory) : kPlenty;
  node.speed = group.speed;
  node.link = group.link ? group.link->value : kNever;
  node.mtbf = group.mtbf ? group.mtbf->value : kNever;
  node.repair = group.repair.value;
  const double power = group.power.value_or(Power{}).value;
  node.idle_W =
      group.idle_power ? std::min(group.idle_power->value, power) : NodeGroup::kIdleShare * power;
  if (node.gpus > 0) node.gpu_W = (power - node.idle_W) / node.gpus;
  if (group.cost_per_hour) node.cost_per_s = group.cost_per_hour->value / 3600;
  if (!group.rented) node.cost_per_J = joule;
  return node;
}

Job job_of(const JobRow& row) {
  Job job;
  job.arrival = row.arrival.value;
  job.gpus = static_cast<int>(row.gpus);
  job.milli = static_cast<int>(row.milli);
  job.cpu_milli = row.cpu_milli;
  job.memory = whole(row.memory);
  job.work = row.work.value;
  job.estimate = row.estimate.value_or(row.work).value;
  job.priority = row.priority;
  job.io = row.io.value;
  if (row.checkpoint_every) job.checkpoint_every = row.checkpoint_every->value;
  job.checkpoint_cost = row.checkpoint_cost.value;
  job.checkpoint_size = row.checkpoint_size.value;
  job.staging = row.staging_work.value;
  job.staging_io = row.staging_io.value;
  job.cold = row.cold_work.value;
  job.cold_io = row.cold_io.value;
  job.exact_length = row.exact_length;
  job.restart_cost = row.restart_cost.value;
  job.over_switches = row.over_switches;
  job.over_nodes = row.over_nodes;
  job.preemptible = row.preemptible;
  job.gpu_busy = row.gpu_busy;
  return job;
}

}  // namespace

Case make_case(const Document& document) {
  Case out;
  Numbers types;
  Numbers users;
  Numbers cohorts;
  Numbers stores;
  Numbers pools = pools_of(document);
  out.pools = static_cast<int>(pools.size());
  constexpr double kJoules = 3.6e6;  // of a kilowatt-hour
  const double joule = document.cluster.electricity_per_kwh.value *
                       document.cluster.power_usage_effectiveness / kJoules;
  for (const NodeGroup& group : document.cluster.nodes)
    out.nodes.insert(out.nodes.end(), static_cast<std::size_t>(group.count),
                     node_of(group, number_of(types, group.type), pools.at(group.pool), joule));
  for (const auto& [name, store] : document.stores) {
    number_of(stores, name);
    out.stores.push_back(
        {store.bandwidth->value, store.mtbf ? store.mtbf->value : kNever, store.repair.value});
  }
  out.users.clear();
  for (const auto& [name, user] : document.cluster.users) {
    number_of(users, name);
    User made{user.share, user.quota ? std::llround(*user.quota * kMilli) : kPlenty};
    if (!user.cohort.empty()) {
      made.cohort = number_of(cohorts, user.cohort);
      made.borrow_milli = user.borrow ? std::llround(*user.borrow * kMilli) : kPlenty;
      out.cohorts_milli.resize(cohorts.size(), 0);
      out.cohorts_milli[at(made.cohort)] += made.quota_milli;
    }
    out.users.push_back(made);
  }
  for (const JobRow& row : document.cluster.jobs) {
    Job job = job_of(row);
    for (const std::string& type : row.gpu_types) job.types.push_back(number_of(types, type));
    job.pool = pools.at(row.pool);
    job.user = number_of(users, row.user);
    out.users.resize(users.size());
    if (!row.store.empty()) job.store = stores.at(row.store);
    out.jobs.push_back(std::move(job));
  }
  for (const FailureRow& row : document.cluster.failures)
    out.failures.push_back({row.at.value,
                            row.store ? stores.at(*row.store) : static_cast<int>(*row.node),
                            row.repair.value, row.store.has_value(), row.left.value});
  out.policy = document.cluster.scheduler.value_or(Policy{});
  out.seed = static_cast<std::uint64_t>(document.cluster.seed);
  if (document.workload.window) out.until = document.workload.window->value;
  return out;
}

}  // namespace gpufeed::cluster
