// SPDX-License-Identifier: Apache-2.0
#include "sim/job/links/binding.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "sim/plan/on_engine.h"

namespace gpufeed {
namespace {

/// The narrowest resource of `route` that stays, other than `resource`, if there is one.
std::optional<ResourceIndex> narrowest_other(const Plan& plan, const Route& route,
                                             ResourceIndex resource,
                                             const ByResource<bool>& binds) {
  std::optional<ResourceIndex> narrowest;
  for (const ResourceIndex other : route.resources)
    if (other != resource && binds[other] &&
        (!narrowest || plan.resource(other).capacity < plan.resource(*narrowest).capacity))
      narrowest = other;
  return narrowest;
}

using Stripes = std::vector<RouteIndex>;

/// What a GPU's loader reads of all drives of a volume, and what is written to them meanwhile.
std::vector<const Stripes*> stripes_of(const GpuPlan& gpu) {
  std::vector<const Stripes*> all{&gpu.reads};
  if (!gpu.pulls.empty()) all.push_back(&gpu.pulls);
  return all;
}

/// How often all stripes together take a resource.
int times_by_all(const Plan& plan, const Stripes& stripes, ResourceIndex resource) {
  int all = 0;
  for (const RouteIndex route : stripes) all += times_taken(plan.route(route), resource);
  return all;
}

/// The binding resources of a stripe that its sisters do not all take as well.
std::vector<ResourceIndex> own_limits(const Plan& plan, const Stripes& stripes, RouteIndex stripe,
                                      const ByResource<bool>& binds) {
  const Route& route = plan.route(stripe);
  std::vector<ResourceIndex> own;
  for (const ResourceIndex resource : route.resources) {
    const bool shared = std::ranges::all_of(stripes, [&](RouteIndex other) {
      return times_taken(plan.route(other), resource) == times_taken(route, resource);
    });
    if (binds[resource] && !shared) own.push_back(resource);
  }
  return own;
}

/// What such a resource gives all stripes, where as much as of this one crosses others like it.
Bandwidth width_for_all(const Plan& plan, const Stripes& stripes, RouteIndex stripe,
                        ResourceIndex resource) {
  const double taken = times_taken(plan.route(stripe), resource);
  return plan.resource(resource).capacity *
         (static_cast<double>(stripes.size()) * taken / times_by_all(plan, stripes, resource));
}

/// Drives whose time reads and writes share do so alike.
bool share_time_alike(const Plan& plan) {
  return !plan.checkpoint && std::ranges::all_of(plan.shared_drives, [&](const SharedDrive& drive) {
    return drive.time == plan.shared_drives.front().time;
  });
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
        if (std::find(taken.begin(), r, *r) == r) routes_[next[r->position()]++] = i;
    }
  }

  std::span<const RouteIndex> of(ResourceIndex resource) const {
    const std::size_t r = resource.position();
    return std::span(routes_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }

 private:
  std::vector<std::size_t> begin_;  ///< of each resource in `routes_`
  std::vector<RouteIndex> routes_;
};

}  // namespace

ByResource<bool> binding_resources(const Plan& plan) {
  const auto count = plan.graph.resources.size();
  const Crossings crossings(plan);
  ByResource<bool> binds(count, true);
  for (const ResourceIndex r : plan.uncontended.indices())
    if (plan.uncontended[r]) binds[r] = false;
  ByResource<bool> proof(count, false);
  std::vector<ResourceIndex> widest_first;
  std::ranges::copy(binds.indices(), std::back_inserter(widest_first));
  std::ranges::stable_sort(widest_first, std::greater{},
                           [&](ResourceIndex r) { return plan.resource(r).capacity.value; });
  for (const ResourceIndex resource : widest_first) {
    if (proof[resource] || !binds[resource]) continue;
    std::map<ResourceIndex, double>
        others;  // how much of this resource each byte there takes at most
    bool held_back = true;
    for (const RouteIndex i : crossings.of(resource)) {
      const Route& route = plan.routes[i];
      const int taken = times_taken(route, resource);
      const auto other = narrowest_other(plan, route, resource, binds);
      if (!other) {
        held_back = false;
        break;
      }
      double& times = others[*other];
      times = std::max(times, static_cast<double>(taken) / times_taken(route, *other));
    }
    Bandwidth most{};
    for (const auto& [other, times] : others) most += plan.resource(other).capacity * times;
    if (!held_back || most > plan.resource(resource).capacity) continue;
    binds[resource] = false;
    for (const auto& [other, times] : others) proof[other] = true;
  }
  return binds;
}

ByRoute<bool> routes_in_use(const Plan& plan) {
  ByRoute<bool> in_use(plan.routes.size(), true);
  for (const auto& gpu : plan.gpus) {
    if (!gpu.hits) continue;
    const ResourceIndex memory = plan.route(*gpu.hits).resources.front();
    in_use[*gpu.hits] = !plan.uncontended[memory];
  }
  return in_use;
}

ByResource<std::size_t> users_of(const Plan& plan) {
  const auto in_use = routes_in_use(plan);
  ByResource<std::size_t> users(plan.graph.resources.size(), 0);
  for (const RouteIndex i : plan.routes.indices()) {
    if (!in_use[i]) continue;
    const auto& taken = plan.routes[i].resources;
    for (auto r = taken.begin(); r != taken.end(); ++r)
      if (std::find(taken.begin(), r, *r) == r) ++users[*r];
  }
  return users;
}

bool stripes_alike(const Plan& plan, const ByResource<bool>& binds) {
  if (plan.whole_files || (!plan.shared_drives.empty() && !share_time_alike(plan))) return false;
  ByResource<std::size_t> readers(binds.size(), 0);  // stripes that a resource alone holds back
  for (const auto& gpu : plan.gpus) {
    if (!gpu.pulls.empty() && gpu.pulls.size() != gpu.reads.size()) return false;
    for (const Stripes* stripes : stripes_of(gpu)) {
      const RouteIndex first = stripes->front();
      const auto of_first = own_limits(plan, *stripes, first, binds);
      for (const RouteIndex stripe : *stripes) {
        const auto own = own_limits(plan, *stripes, stripe, binds);
        const bool as_wide =
            std::ranges::equal(own, of_first, [&](ResourceIndex a, ResourceIndex b) {
              return width_for_all(plan, *stripes, stripe, a) ==
                     width_for_all(plan, *stripes, first, b);
            });
        if (!as_wide || plan.route(stripe).cap != plan.route(first).cap) return false;
        for (const ResourceIndex resource : own) ++readers[resource];
      }
    }
  }
  const auto users = users_of(plan);
  for (const ResourceIndex r : readers.indices())
    if (readers[r] > 0 && users[r] != readers[r]) return false;
  return true;
}

ByResource<Bandwidth> link_capacities(const Plan& plan, const ByResource<bool>& binds,
                                      bool merged) {
  auto capacities = capacities_of(plan.graph);
  for (const auto& gpu : plan.gpus) {
    if (!merged) break;
    for (const Stripes* stripes : stripes_of(gpu))
      for (const ResourceIndex resource : own_limits(plan, *stripes, stripes->front(), binds))
        capacities[resource] = width_for_all(plan, *stripes, stripes->front(), resource);
  }
  return capacities;
}

}  // namespace gpufeed
