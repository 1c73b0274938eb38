// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/reads.h"

#include <algorithm>

#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/plan/passes.h"

namespace gpufeed {

void add_reads(const Scenario& scenario, const Graph& graph, const Sources& sources,
               std::int64_t readers, RoutesInMaking& routes, GpuFeed& gpu) {
  const System& system = *scenario.system;
  const Cpu& cpu = *find_socket(system, gpu.socket)->model;
  const VertexIndex target = sources.from.path == ReadPath::gpudirect ? graph.gpu(gpu.number)
                                                                      : graph.memory_of(gpu.socket);
  for (const auto& source : sources.ids) {
    auto route = read_route(scenario, graph, source, target, gpu.nic);
    if (route) {
      gpu.read_latency =
          std::max(gpu.read_latency,
                   route->latency * sources.reading.waits_per_sample + sources.reading.open_time);
      if (sources.from.buffered()) pass_memory(graph, *route, gpu.socket, kCopyPasses);
      const Bandwidth most = most_of_source(sources, system, source, cpu, readers);
      if (most < route->cap.value_or(kUncapped)) route->cap = most;
    }
    if (const auto read = routes.add(std::move(route), source, graph.vertex(target).id))
      gpu.reads.push_back(*read);
  }
}

void add_hits(const Graph& graph, RoutesInMaking& routes, GpuFeed& gpu) {
  Route hits;
  pass_memory(graph, hits, gpu.socket, kCopyPasses);
  gpu.hits = routes.add(std::move(hits));
}

}  // namespace gpufeed
