// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/own_pace.h"

#include <algorithm>
#include <map>

#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// One GPU's use of something that several share.
struct User {
  double load;  ///< of each sample
  Rate own;     ///< samples per second that it reaches alone
};

Rate own_rate(const Plan& plan, PhaseTimes& times, const GpuPlan& gpu) {
  const Seconds slowest = std::max({own_step(plan, times, gpu), worker_time(plan, gpu),
                                    copy_time(plan, gpu), gpu.decode_by_engine});
  return {static_cast<double>(plan.batch) / slowest.value};
}

/// \param others  the rate of those that do not use it
Rate most_of(std::vector<User> users, double capacity, Rate others) {
  std::ranges::sort(users, {}, &User::load);
  Rate sum = others;
  for (const User& user : users) {
    const Rate rate{std::min(user.own.value, capacity / user.load)};
    sum += rate;
    capacity -= rate.value * user.load;
  }
  return sum;
}

Rate sum_of(const std::vector<User>& users) {
  Rate sum{};
  for (const User& user : users) sum += user.own;
  return sum;
}

/// One resource, or all copies of one that nodes have.
struct Shared {
  std::vector<User> users{};
  double capacity = 0;
  int copies = 0;
};

ResourceIndex first_copy(const Plan& plan, ResourceIndex resource) {
  return plan.resource(resource).of_first.value_or(resource);
}

/// All copies of each resource that anybody uses, as one; their users are still to come.
ByResource<Shared> copies_together(const Plan& plan, const ByResource<Shared>& of_each) {
  ByResource<Shared> of_all(of_each.size());
  for (const ResourceIndex r : of_each.indices()) {
    if (of_each[r].users.empty()) continue;
    Shared& copies = of_all[first_copy(plan, r)];
    copies.capacity += of_each[r].capacity;
    ++copies.copies;
  }
  return of_all;
}

/// Of a GPU's sample, by resource.
using LoadOf = std::map<ResourceIndex, double>;

void add_user(ByResource<Shared>& shared, const LoadOf& loads, Rate own) {
  for (const auto& [resource, load] : loads)
    if (load > 0) shared[resource].users.push_back({load, own});
}

/// \param all  the rate of all GPUs, each by itself
void add_limits(const Plan& plan, const ByResource<Shared>& shared, Rate all,
                std::vector<SharedLimit>& limits) {
  for (const ResourceIndex r : shared.indices()) {
    const auto& users = shared[r].users;
    if (users.empty()) continue;
    limits.push_back(
        {limit_of(plan.resource(r)), most_of(users, shared[r].capacity, all - sum_of(users))});
  }
}

}  // namespace

std::vector<SharedLimit> shared_by_own_pace(const Plan& plan) {
  ByResource<Shared> of_each(plan.graph.resources.size());
  for (const ResourceIndex r : of_each.indices())
    of_each[r].capacity = plan.resource(r).capacity.value / plan.resource(r).stands_for;
  std::vector<std::vector<User>> of_pool(plan.cores.size());
  PhaseTimes times(plan);
  const bool on_cores = core_time(plan).value > 0;
  Rate all{};
  std::vector<Rate> own;
  std::vector<LoadOf> loads(plan.gpus.size());
  for (std::size_t g = 0; g < plan.gpus.size(); ++g) {
    const GpuPlan& gpu = plan.gpus[g];
    own.push_back(own_rate(plan, times, gpu));
    all += own[g];
    for (const Use& use : uses_of(plan, gpu))
      for (const ResourceIndex resource : plan.route(use.route).resources)
        loads[g][resource] += use.size.value;
    add_user(of_each, loads[g], own[g]);
    if (on_cores) of_pool[gpu.pool].push_back({core_time(plan, gpu).value, own[g]});
  }
  ByResource<Shared> of_copies = copies_together(plan, of_each);
  for (std::size_t g = 0; g < plan.gpus.size(); ++g) {
    LoadOf together;
    for (const auto& [resource, load] : loads[g]) together[first_copy(plan, resource)] += load;
    std::erase_if(together, [&](const auto& use) { return of_copies[use.first].copies == 1; });
    add_user(of_copies, together, own[g]);
  }
  std::vector<SharedLimit> limits;
  add_limits(plan, of_each, all, limits);
  add_limits(plan, of_copies, all, limits);
  Rate decoded{};
  for (std::size_t p = 0; p < of_pool.size(); ++p)
    decoded += most_of(of_pool[p], plan.cores[p], {});
  if (on_cores) limits.push_back({fact<LimiterCode::decode_cores>(), decoded});
  limits.push_back({fact<LimiterCode::loader_workers>(), all});
  return limits;
}

}  // namespace gpufeed
