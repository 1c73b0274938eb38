// SPDX-License-Identifier: Apache-2.0
#include "sim/job/binding.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

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

/// The binding resources of a stripe that its sisters do not take as well.
std::vector<int> own_limits(const Plan& plan, const GpuPlan& gpu, std::size_t stripe,
                            const std::vector<bool>& binds) {
  const Route& route = plan.route(gpu.reads[stripe]);
  std::vector<int> own;
  for (const int resource : route.resources) {
    const bool shared = std::ranges::all_of(gpu.reads, [&](RouteIndex other) {
      return times_taken(plan.route(other), resource) == times_taken(route, resource);
    });
    if (binds[static_cast<std::size_t>(resource)] && !shared) own.push_back(resource);
  }
  return own;
}

/// The routes in use that cross each resource, one after the other.
class Crossings {
 public:
  explicit Crossings(const Plan& plan) : begin_(plan.graph.resources.size() + 1, 0) {
    const auto in_use = routes_in_use(plan);
    const auto users = users_of(plan);
    std::partial_sum(users.begin(), users.end(), begin_.begin() + 1);
    routes_.resize(begin_.back(), RouteIndex(0));
    auto next = begin_;
    for (const RouteIndex i : plan.routes.indices()) {
      if (!in_use[i]) continue;
      const auto& taken = plan.routes[i].resources;
      for (auto r = taken.begin(); r != taken.end(); ++r)
        if (std::find(taken.begin(), r, *r) == r) routes_[next[static_cast<std::size_t>(*r)]++] = i;
    }
  }

  std::span<const RouteIndex> of(int resource) const {
    const auto r = static_cast<std::size_t>(resource);
    return std::span(routes_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }

 private:
  std::vector<std::size_t> begin_;  ///< of each resource in `routes_`
  std::vector<RouteIndex> routes_;
};

}  // namespace

std::vector<bool> binding_resources(const Plan& plan) {
  const auto count = plan.graph.resources.size();
  const Crossings crossings(plan);
  std::vector<bool> binds(count, true);
  for (std::size_t r = 0; r < plan.quiet.size(); ++r)
    if (plan.quiet[r]) binds[r] = false;
  std::vector<bool> proof(count, false);
  std::vector<int> widest_first(count);
  std::iota(widest_first.begin(), widest_first.end(), 0);
  std::ranges::stable_sort(widest_first, std::greater{},
                           [&](int r) { return plan.resource(r).capacity.value; });
  for (const int resource : widest_first) {
    if (proof[static_cast<std::size_t>(resource)] || !binds[static_cast<std::size_t>(resource)])
      continue;
    std::map<int, double> others;  // how much of this resource each byte there takes at most
    bool held_back = true;
    for (const RouteIndex i : crossings.of(resource)) {
      const Route& route = plan.routes[i];
      const int taken = times_taken(route, resource);
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

Indexed<RouteIndex, bool> routes_in_use(const Plan& plan) {
  Indexed<RouteIndex, bool> in_use(plan.routes.size(), true);
  for (const auto& gpu : plan.gpus) {
    if (!gpu.hits) continue;
    const auto memory = static_cast<std::size_t>(plan.route(*gpu.hits).resources.front());
    in_use[*gpu.hits] = !plan.quiet[memory];
  }
  return in_use;
}

std::vector<std::size_t> users_of(const Plan& plan) {
  const auto in_use = routes_in_use(plan);
  std::vector<std::size_t> users(plan.graph.resources.size(), 0);
  for (const RouteIndex i : plan.routes.indices()) {
    if (!in_use[i]) continue;
    const auto& taken = plan.routes[i].resources;
    for (auto r = taken.begin(); r != taken.end(); ++r)
      if (std::find(taken.begin(), r, *r) == r) ++users[static_cast<std::size_t>(*r)];
  }
  return users;
}

bool stripes_alike(const Plan& plan, const std::vector<bool>& binds) {
  if (plan.whole_files || (plan.checkpoint && !plan.checkpoint->shared.empty())) return false;
  std::vector<std::size_t> readers(binds.size(), 0);  // GPUs that a resource alone holds back
  for (const auto& gpu : plan.gpus) {
    const auto first = own_limits(plan, gpu, 0, binds);
    for (std::size_t i = 0; i < gpu.reads.size(); ++i) {
      const auto own = own_limits(plan, gpu, i, binds);
      const bool as_wide = std::ranges::equal(own, first, [&](int a, int b) {
        return plan.resource(a).capacity == plan.resource(b).capacity;
      });
      if (!as_wide || plan.route(gpu.reads[i]).cap != plan.route(gpu.reads[0]).cap) return false;
      for (const int resource : own) ++readers[static_cast<std::size_t>(resource)];
    }
  }
  const auto users = users_of(plan);
  for (std::size_t r = 0; r < readers.size(); ++r)
    if (readers[r] > 0 && users[r] != readers[r]) return false;
  return true;
}

std::vector<Bandwidth> link_capacities(const Plan& plan, const std::vector<bool>& binds,
                                       bool merged) {
  std::vector<Bandwidth> capacities;
  for (const auto& resource : plan.graph.resources) capacities.push_back(resource.capacity);
  for (const auto& gpu : plan.gpus) {
    if (!merged) break;
    for (const int resource : own_limits(plan, gpu, 0, binds))
      capacities[static_cast<std::size_t>(resource)] =
          plan.resource(resource).capacity * static_cast<double>(gpu.reads.size());
  }
  return capacities;
}

}  // namespace gpufeed
