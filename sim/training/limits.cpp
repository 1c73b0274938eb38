// SPDX-License-Identifier: Apache-2.0
#include "sim/training/limits.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gpufeed {
namespace {

/// The narrowest resource of `route` that stays, other than `resource`; -1 where there is none.
int narrowest_other(const Plan& plan, const Route& route, int resource,
                    const std::vector<bool>& binds) {
  int narrowest = -1;
  for (const int other : route.resources)
    if (other != resource && binds[static_cast<std::size_t>(other)] &&
        (narrowest < 0 || plan.resource(other).capacity < plan.resource(narrowest).capacity))
      narrowest = other;
  return narrowest;
}

/// The one binding resource of a route; -1 where there are more.
int only_limit(const Route& route, const std::vector<bool>& binds) {
  int only = -1;
  for (const int resource : route.resources) {
    if (!binds[static_cast<std::size_t>(resource)] || resource == only) continue;
    if (only >= 0) return -1;
    only = resource;
  }
  return only;
}

}  // namespace

std::vector<bool> binding_resources(const Plan& plan) {
  const auto count = plan.graph.resources.size();
  const auto in_use = routes_in_use(plan);
  std::vector<bool> binds(count, true);
  std::vector<bool> proof(count, false);
  std::vector<int> widest_first(count);
  std::iota(widest_first.begin(), widest_first.end(), 0);
  std::ranges::stable_sort(widest_first, std::greater{},
                           [&](int r) { return plan.resource(r).capacity.value; });
  for (const int resource : widest_first) {
    if (proof[static_cast<std::size_t>(resource)]) continue;
    std::map<int, double> others;  // how much of this resource each byte there takes at most
    bool held_back = true;
    for (std::size_t i = 0; i < plan.routes.size(); ++i) {
      const Route& route = plan.routes[i];
      if (!in_use[i]) continue;
      const int taken = times_taken(route, resource);
      if (taken == 0) continue;
      const int other = narrowest_other(plan, route, resource, binds);
      if (other < 0) {
        held_back = false;
        break;
      }
      double& times = others[other];
      times = std::max(times, static_cast<double>(taken) / times_taken(route, other));
    }
    Bandwidth most{};
    for (const auto& [other, times] : others) most += plan.resource(other).capacity * times;
    if (!held_back || most > plan.resource(resource).capacity) continue;
    binds[static_cast<std::size_t>(resource)] = false;
    for (const auto& [other, times] : others) proof[static_cast<std::size_t>(other)] = true;
  }
  return binds;
}

std::vector<bool> routes_in_use(const Plan& plan) {
  std::vector<bool> in_use(plan.routes.size(), true);
  if (plan.hits_may_wait) return in_use;
  for (const auto& gpu : plan.gpus)
    if (gpu.hits >= 0) in_use[static_cast<std::size_t>(gpu.hits)] = false;
  return in_use;
}

std::vector<std::size_t> users_of(const Plan& plan) {
  const auto in_use = routes_in_use(plan);
  std::vector<std::size_t> users(plan.graph.resources.size(), 0);
  for (std::size_t i = 0; i < plan.routes.size(); ++i)
    for (std::size_t r = 0; in_use[i] && r < users.size(); ++r)
      if (times_taken(plan.routes[i], static_cast<int>(r)) > 0) ++users[r];
  return users;
}

bool stripes_alike(const Plan& plan, const std::vector<bool>& binds) {
  if (plan.whole_files) return false;
  const auto users = users_of(plan);
  const auto& stripes = plan.gpus.front().reads;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    const int limit = only_limit(plan.route(stripes[i]), binds);
    const int first = only_limit(plan.route(stripes[0]), binds);
    if (limit < 0 || users[static_cast<std::size_t>(limit)] != plan.gpus.size()) return false;
    if (plan.resource(limit).capacity != plan.resource(first).capacity) return false;
    for (const auto& gpu : plan.gpus)
      if (only_limit(plan.route(gpu.reads[i]), binds) != limit) return false;
  }
  return true;
}

}  // namespace gpufeed
