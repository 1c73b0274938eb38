// SPDX-License-Identifier: Apache-2.0
#include "sim/job/links/binding.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gpufeed;

namespace {

/// Resources of the given capacities; routes as lists of their numbers.
Plan plan_of(const std::vector<double>& capacities,
             const std::vector<std::vector<std::size_t>>& routes) {
  Plan plan;
  for (const double capacity : capacities)
    plan.graph.resources.add({Label("r"), ResourceKind::bus, {capacity}, {}});
  for (const auto& route : routes) {
    std::vector<ResourceIndex> taken;
    for (const std::size_t resource : route) taken.emplace_back(resource);
    plan.routes.add({taken, {}, {}});
  }
  return plan;
}

}  // namespace

TEST_CASE("a link wider than all that feeds it together never binds") {
  // Two drives of 1 over a bus of 2 and a memory of 5.
  CHECK(binding_resources(plan_of({1, 1, 2, 5}, {{0, 2, 3}, {1, 2, 3}})) ==
        ByResource<bool>{true, true, false, false});
}

TEST_CASE("a link narrower than what feeds it together binds") {
  CHECK(binding_resources(plan_of({1, 1, 1.5}, {{0, 2}, {1, 2}})) ==
        ByResource<bool>{true, true, true});
}

TEST_CASE("of links of one capacity in a row one stays") {
  const auto binds = binding_resources(plan_of({3, 3, 3}, {{0, 1, 2}}));
  CHECK(std::ranges::count(binds, true) == 1);
}

TEST_CASE("the only link of a route stays, however wide") {
  CHECK(binding_resources(plan_of({1, 9}, {{0, 1}, {1}}))[ResourceIndex(1)]);
}

TEST_CASE("stripes are alike where each has its own equal drive and they share all else") {
  const auto alike = [](const std::vector<double>& capacities,
                        const std::vector<std::vector<std::size_t>>& routes) {
    Plan plan = plan_of(capacities, routes);
    GpuPlan gpu;
    gpu.reads = {RouteIndex(0), RouteIndex(1)};
    plan.gpus = {gpu};
    return stripes_alike(plan, binding_resources(plan));
  };
  CHECK(alike({1, 1, 9}, {{0, 2}, {1, 2}}));
  CHECK_FALSE(alike({1, 2, 9}, {{0, 2}, {1, 2}}));
  CHECK(alike({1, 1, 1.5}, {{0, 2}, {1, 2}}));
  CHECK_FALSE(alike({1, 1, 0.5, 9}, {{0, 2}, {1, 3}}));
  CHECK_FALSE(alike({1, 1, 9}, {{0, 2}, {1, 2}, {1}}));
}

TEST_CASE("a flow that stands for all stripes takes what their drives give together") {
  Plan plan = plan_of({1, 1, 1.5}, {{0, 2}, {1, 2}});
  GpuPlan gpu;
  gpu.reads = {RouteIndex(0), RouteIndex(1)};
  plan.gpus = {gpu};
  const auto binds = binding_resources(plan);
  const auto capacities = link_capacities(plan, binds, true);
  CHECK(capacities[ResourceIndex(0)].value == 2);
  CHECK(capacities[ResourceIndex(2)].value == 1.5);
  CHECK(link_capacities(plan, binds, false)[ResourceIndex(0)].value == 1);
}

TEST_CASE("two stripes behind one link of four take half of what four such links would give") {
  // Drives of 1, two each behind links of 1.5 that hold them back.
  Plan plan = plan_of({1, 1, 1, 1, 1.5, 1.5, 99}, {{0, 4, 6}, {1, 4, 6}, {2, 5, 6}, {3, 5, 6}});
  GpuPlan gpu;
  gpu.reads = {RouteIndex(0), RouteIndex(1), RouteIndex(2), RouteIndex(3)};
  plan.gpus = {gpu};
  const auto binds = binding_resources(plan);
  REQUIRE(stripes_alike(plan, binds));
  const auto capacities = link_capacities(plan, binds, true);
  CHECK(capacities[ResourceIndex(0)].value == 4);
  CHECK(capacities[ResourceIndex(4)].value == 3);
  // Three and one are not alike.
  plan = plan_of({1, 1, 1, 1, 1.5, 1.5, 99}, {{0, 4, 6}, {1, 4, 6}, {2, 4, 6}, {3, 5, 6}});
  plan.gpus = {gpu};
  CHECK_FALSE(stripes_alike(plan, binding_resources(plan)));
}

TEST_CASE("a memory that is crossed several times binds where one pass would not") {
  // One drive of 1 over a memory of 3: read and copied on in 4 passes.
  CHECK(binding_resources(plan_of({1, 3}, {{0, 1}})) == ByResource<bool>{true, false});
  CHECK(binding_resources(plan_of({1, 3}, {{0, 1, 1, 1, 1}}))[ResourceIndex(1)]);
}

TEST_CASE("a memory that is uncontended never binds, and hits there take no flow") {
  Plan plan = plan_of({1, 9}, {{0, 1}, {1, 1, 1}});
  GpuPlan gpu;
  gpu.reads = {RouteIndex(0)};
  gpu.hits = RouteIndex(1);
  plan.gpus = {gpu};
  plan.uncontended = {false, true};
  CHECK(routes_in_use(plan) == ByRoute<bool>{true, false});
  CHECK(binding_resources(plan) == ByResource<bool>{true, false});
  plan.uncontended = {false, false};
  CHECK(routes_in_use(plan) == ByRoute<bool>{true, true});
}
