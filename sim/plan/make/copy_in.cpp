// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/copy_in.h"

#include <utility>

#include "sim/base/assert.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {

std::optional<ResourceIndex> add_copy_in_limit(const Scenario& scenario, Graph& graph) {
  const Staging& staging = *scenario.data.staging;
  if (!staging.rate) return {};
  return graph.resources.add({inside(label_of(scenario, *staging.from), "copy-in"),
                              ResourceKind::network,
                              *staging.rate,
                              {"data.staging.rate of the scenario", Basis::measured},
                              {*staging.from, Role::copy_in}});
}

void copy_in(const Scenario& scenario, const Graph& graph, std::optional<ResourceIndex> limit,
             RoutesInMaking& routes, GpuFeed& gpu) {
  const System& system = *scenario.system;
  GPUFEED_ASSERT(gpu.reads.size() <= 1, "data are copied in from one store");
  if (gpu.reads.empty()) return;  // there is no way
  const RouteIndex reading = std::exchange(gpu.reads, {}).front();
  const Route read = routes[reading];
  const VertexIndex memory = graph.memory_of(gpu.socket);
  const auto drives = drives_of(system, scenario.data.at);
  for (const std::size_t i : drives) {
    const auto onto = shortest_route(graph, memory, graph.media_of({PartKind::drive, i}));
    if (!onto) {
      report_no_way(routes.missing(), scenario.data.staging->from.where, scenario,
                    graph.vertex(memory).label, label_of(scenario, {PartKind::drive, i}));
      continue;
    }
    Route both = read;
    both.resources.insert(both.resources.end(), onto->resources.begin(), onto->resources.end());
    if (limit) both.resources.push_back(*limit);
    if (read.cap) both.cap = *read.cap / static_cast<double>(drives.size());
    if (gpu.reads.empty()) {
      routes[reading] = std::move(both);
      gpu.reads.push_back(reading);
    } else {
      gpu.reads.push_back(routes.add(std::move(both)));
    }
  }
}

void read_through(const Scenario& scenario, const Graph& graph, std::optional<ResourceIndex> limit,
                  RoutesInMaking& routes, GpuFeed far, GpuFeed& gpu) {
  gpu.pull_latency = far.read_latency;
  for (const RouteIndex reading : far.reads) {
    Route alone = routes[reading];
    if (limit) alone.resources.push_back(*limit);
    if (scenario.data.staging->eviction == CacheEviction::pinned)
      gpu.passes.push_back(routes.add(std::move(alone)));
  }
  copy_in(scenario, graph, limit, routes, far);
  gpu.pulls = std::move(far.reads);
}

}  // namespace gpufeed
