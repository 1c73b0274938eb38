// SPDX-License-Identifier: Apache-2.0
#include "sim/job/staging.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/chosen_engine.h"
#include "sim/plan/nodes.h"
#include "sim/plan/on_engine.h"
#include "sim/topology/routes.h"

namespace gpufeed {
namespace {

/// Store to memory, then memory to drive, as one way that a stream takes at once.
std::optional<Route> copy_route(const Scenario& scenario, const Graph& graph, std::size_t drive,
                                NicTurns& turns) {
  const System& system = *scenario.system;
  const VertexIndex memory = graph.memory_of(socket_of(system, system.drives[drive]));
  auto route =
      read_route(scenario, graph, *scenario.data.staging->from, memory, turns.next(memory));
  const auto onto = shortest_route(graph, memory, graph.media_of({PartKind::drive, drive}));
  if (!route || !onto) return {};
  route->resources.insert(route->resources.end(), onto->resources.begin(), onto->resources.end());
  return route;
}

struct Clock {
  Engine& engine;
  Seconds end;
  void stop(std::uint64_t) { end = engine.now(); }
};

}  // namespace

Seconds staging_time(const Scenario& scenario) {
  const auto& staging = scenario.data.staging;
  if (!staging || staging->mode == StagingMode::read_through) return {};
  const System& system = *scenario.system;
  const Dataset& dataset = *scenario.workload.dataset();
  Graph graph = build_graph(scenario, {.request = dataset.sample_size});
  // Every node copies all, for any of them may read any sample: one shows how long that takes.
  const Nodes nodes =
      scenario.nodes > 1 ? Nodes(scenario, graph, 1, false) : Nodes(scenario, graph);
  for (Resource& resource : graph.resources)
    resource.capacity = resource.capacity / resource.stands_for;
  const auto engine = make_engine(scenario.run.engine);
  GraphOnEngine on_engine(graph, *engine);
  const auto drives = drives_of(system, scenario.data.at);
  const double parts = static_cast<double>(drives.size());
  std::vector<RouteId> routes;
  NicTurns turns;
  Diagnostics missing;
  for (const std::size_t drive : drives) {
    const auto route = copy_route(scenario, graph, drive, turns);
    if (!route) {
      const PartRef& from = scenario.data.staging->from;
      report_no_way(missing, from.where, scenario, label_of(scenario, *from),
                    label_of(scenario, {PartKind::drive, drive}));
      continue;
    }
    Route copy = nodes.to_store(0, *route, true);
    copy.cap = {};
    if (const auto rate = scenario.data.staging->rate) copy.cap = *rate / parts;
    routes.push_back(on_engine.add(copy));
  }
  missing.throw_if_any();
  Clock clock{*engine, {}};
  const Bytes size = dataset.sample_size * static_cast<double>(dataset_samples(scenario.workload));
  for (const RouteId route : routes)
    engine->start_flow(route, size / parts, callback<&Clock::stop>(clock, 0));
  engine->run();
  return clock.end;
}

}  // namespace gpufeed
