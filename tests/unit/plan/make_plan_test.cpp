// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/make_plan.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/plan/make/uncontended.h"
#include "tests/support/labels.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Four GPUs, two drives, and a store from which they may copy the data in.
Scenario with_staging() {
  Scenario scenario = scenario_of(four_ample_gpus());
  Staging staging;
  staging.from = part(scenario, "nas");
  staging.mode = StagingMode::first_epoch;
  scenario.data.staging = staging;
  scenario.workload.get<RunsEpochs>().epochs = 2;
  return scenario;
}

/// How often a route takes the resource of this name; of -1 there is none.
int taken(const Plan& plan, RouteIndex route, const std::string& resource) {
  const auto found = find_resource(plan.graph, resource);
  return found ? times_taken(plan.route(route), *found) : -1;
}

/// A loader that reads 1 B/s over a memory of this capacity, which also holds what it has cached.
Plan over_memory(double capacity) {
  Plan plan;
  plan.kind = kind_of<kind::Loader>;
  plan.graph.resources.add({Label("drive"), ResourceKind::drive, {1}, {}});
  plan.graph.resources.add({Label("memory"), ResourceKind::memory, {capacity}, {}});
  plan.routes.add({{ResourceIndex(0), ResourceIndex(1)}, {}, {}});
  plan.routes.add({{ResourceIndex(1)}, {}, {}});
  plan.batch = 1;
  plan.sample_size = {1};
  plan.cores = {1};
  GpuPlan gpu;
  gpu.reads = {RouteIndex(0)};
  gpu.hits = RouteIndex(1);
  plan.gpus = {gpu};
  return plan;
}

}  // namespace

TEST_CASE("the epoch that copies the data in reads from the store and writes to every drive") {
  Scenario scenario = with_staging();
  scenario.data.staging->rate = Bandwidth{5e8};
  const Plan plan = make_staged_epoch_plan(scenario);
  CHECK(plan.sources == std::vector<PartId>{{PartKind::store, 0}});
  CHECK(plan.hit_rate() == 0);
  CHECK(plan.cache.value == 0);
  CHECK(std::ranges::count(plan.uncontended, true) == 0);
  for (const auto& gpu : plan.gpus) {
    REQUIRE(gpu.reads.size() == 2);
    for (std::size_t drive = 0; drive < 2; ++drive) {
      const RouteIndex route = gpu.reads[drive];
      CHECK(taken(plan, route, "nas") == 1);
      CHECK(taken(plan, route, "ssd0 write") == (drive == 0 ? 1 : 0));
      CHECK(taken(plan, route, "ssd1 write") == (drive == 1 ? 1 : 0));
      CHECK(taken(plan, route, "nas copy-in") == 1);
    }
  }
}

TEST_CASE("later epochs read from the drives, whatever was copied in before") {
  const Scenario scenario = with_staging();
  const Plan plan = make_plan(scenario);
  CHECK(plan.sources == std::vector<PartId>{{PartKind::drive, 0}, {PartKind::drive, 1}});
  CHECK(taken(plan, plan.gpus.front().reads.front(), "ssd0") == 1);
  CHECK(taken(plan, plan.gpus.front().reads.front(), "ssd0 write") == 0);
}

TEST_CASE("every node has its own loaders, routes, cores and pools") {
  RandomMachine machine = four_ample_gpus();
  machine.sockets = 2;
  Scenario scenario = scenario_of(machine);
  scenario.loader.cores = CorePool::socket;
  const Plan one = make_plan(scenario);
  scenario.nodes = 3;
  const Plan all = make_plan(scenario);
  REQUIRE(all.gpus.size() == 12);
  CHECK(all.physical_cores == 3 * one.physical_cores);
  CHECK(all.cores.size() == 6);
  const GpuPlan& last = all.gpus.back();
  CHECK(last.node == 2);
  CHECK(last.number == 3);
  CHECK(last.pool == one.gpus.back().pool + 4);
  CHECK(taken(all, last.reads.front(), "ssd0") == 0);
  CHECK(taken(all, last.reads.front(), "ssd0 of node 2") == 1);
}

TEST_CASE("a memory is uncontended below half load, and never where checkpoints are written") {
  CHECK(uncontended_memories(over_memory(2.1)) == ByResource<bool>{false, true});
  CHECK(uncontended_memories(over_memory(1.9)) == ByResource<bool>{false, false});
  Plan saving = over_memory(2.1);
  saving.checkpoint = CheckpointPlan{};
  CHECK(uncontended_memories(saving) == ByResource<bool>{false, false});
}

// Of epochs that find half, 2 B/s come out of the page cache and the drive together.
TEST_CASE("a memory is uncontended only where it is in every epoch, those in the middle too") {
  Plan plan = over_memory(2.5);
  plan.epochs = 4;
  plan.filling = {{flat_hits(0), 1}, {flat_hits(0.1), 1}, {flat_hits(0), 1}};
  CHECK(uncontended_memories(plan) == ByResource<bool>{false, true});
  plan.filling[1].hits = flat_hits(0.5);
  CHECK(uncontended_memories(plan) == ByResource<bool>{false, false});
}
