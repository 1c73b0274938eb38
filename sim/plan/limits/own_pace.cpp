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

}  // namespace

std::vector<SharedLimit> shared_by_own_pace(const Plan& plan) {
  ByResource<std::vector<User>> of_resource(plan.graph.resources.size());
  std::vector<std::vector<User>> of_pool(plan.cores.size());
  PhaseTimes times(plan);
  const double cores = core_time(plan).value;
  Rate all{};
  for (const auto& gpu : plan.gpus) {
    const Rate own = own_rate(plan, times, gpu);
    all += own;
    std::map<ResourceIndex, double> loads;
    for (const Use& use : uses_of(plan, gpu))
      for (const ResourceIndex resource : plan.route(use.route).resources)
        loads[resource] += use.size.value;
    for (const auto& [resource, load] : loads)
      if (load > 0) of_resource[resource].push_back({load, own});
    if (cores > 0) of_pool[gpu.pool].push_back({cores, own});
  }
  std::vector<SharedLimit> limits;
  for (const ResourceIndex r : of_resource.indices()) {
    const auto& users = of_resource[r];
    const Resource& resource = plan.graph.resources[r];
    if (!users.empty())
      limits.push_back({resource.id, most_of(users, resource.capacity.value, all - sum_of(users))});
  }
  Rate decoded{};
  for (std::size_t p = 0; p < of_pool.size(); ++p)
    decoded += most_of(of_pool[p], plan.cores[p], {});
  if (cores > 0) limits.push_back({"decode cores", decoded});
  limits.push_back({"loader workers", all});
  return limits;
}

}  // namespace gpufeed
