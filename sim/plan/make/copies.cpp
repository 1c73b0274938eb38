// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/plan/passes.h"

#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {

void add_copy(const Scenario& scenario, const Graph& graph, RoutesInMaking& routes, GpuFeed& gpu) {
  const System& system = *scenario.system;
  auto route = shortest_route(graph, graph.memory_of(gpu.socket), graph.gpu(gpu.number));
  if (route) {
    if (scenario.loader.decode == DecodeOn::cpu)
      pass_memory(graph, *route, gpu.socket, kCopyWrites);
    if (!scenario.loader.pinned_memory) {
      pass_memory(graph, *route, gpu.socket, kPageableCopyPasses);
      const Socket* socket = find_socket(system, gpu.socket);
      if (socket->model->core_copy_bandwidth) route->cap = socket->model->core_copy_bandwidth;
    }
  }
  gpu.copy = routes.add(std::move(route), label_of(scenario, gpu.socket),
                        label_of(scenario, {PartKind::gpu, gpu.number}));
}

std::optional<ResourceIndex> add_processes(const Scenario& scenario, Graph& graph) {
  const Loader& loader = scenario.loader;
  if (!loader.process_bandwidth) return {};
  const ResourceIndex first(graph.resources.size());
  for (std::int64_t i = 0; i < loader_processes(scenario); ++i)
    graph.resources.add({Label(fmt::format("loader process {}", i)),
                         ResourceKind::process,
                         *loader.process_bandwidth,
                         {"the scenario's loader", Basis::estimate},
                         {{PartKind::socket, static_cast<std::size_t>(i)}, Role::process}});
  return first;
}

/// Decoded bytes of a sample, as workers hand them on.
Bytes handed_over(const Scenario& scenario) {
  if (scenario.workload.model()) return copied_size(scenario);
  constexpr double kColors = 3;
  const Dataset& dataset = *scenario.workload.dataset();
  const bool decoded = scenario.loader.decode == DecodeOn::cpu && dataset.pixels;
  return decoded ? Bytes{kColors * static_cast<double>(*dataset.pixels)} : dataset.sample_size;
}

Seconds take_over_time(const Scenario& scenario) {
  const Loader& loader = scenario.loader;
  const auto batch = static_cast<double>(scenario.workload.get<RunsEpochs>().batch_per_gpu.value);
  const Bytes bytes = handed_over(scenario) * batch;
  const auto tensors = static_cast<double>(loader.tensors_per_batch);
  Seconds time = loader.take_over_time * tensors;
  if (loader.process_bandwidth) time += bytes / *loader.process_bandwidth;
  if (loader.pinned_memory) {
    time += loader.pin_time * tensors;
    if (loader.pin_bandwidth) time += bytes / *loader.pin_bandwidth;
  }
  return time * static_cast<double>(batches_of_step(scenario.workload));
}

void pass_process(const Scenario& scenario, ResourceIndex first, RoutesInMaking& routes,
                  GpuFeed& gpu) {
  if (!gpu.copy) gpu.copy = routes.add(Route{});
  const auto process =
      static_cast<std::int64_t>(gpu.number) * loader_processes(scenario) / gpus_per_node(scenario);
  routes[*gpu.copy].resources.push_back(
      ResourceIndex(first.position() + static_cast<std::size_t>(process)));
}

Bytes copied_size(const Scenario& scenario) {
  const Workload& workload = scenario.workload;
  const bool decoded_there =
      workload.is<kind::Training>() && scenario.loader.decode == DecodeOn::gpu;
  if (decoded_there) return workload.dataset()->sample_size;
  return workload.model() ? workload.model()->input_size : Bytes{};
}

}  // namespace gpufeed
