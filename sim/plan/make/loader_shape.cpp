// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/loader_shape.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Batches of one sample in the files that a GPU's readers have open, where a file is a sample:
/// each is then read to its end by one of them.
std::int64_t batches_of_files(const Scenario& scenario) {
  constexpr std::int64_t kOpenedAhead = 2;  // TensorFlow's prefetch_input_elements / cycle_length
  const auto* emulated = scenario.workload.find<kind::Emulated>();
  if (!emulated || emulated->batch_per_gpu != 1 || emulated->dataset->samples_per_file > 1)
    return 0;
  const Loader& loader = scenario.loader;
  return loader.readers.value_or(loader.workers_per_gpu) * (1 + kOpenedAhead);
}

}  // namespace

LoaderShape loader_shape(const Scenario& scenario) {
  const Loader& loader = scenario.loader;
  const std::int64_t workers = loader.workers_per_gpu;
  const std::int64_t prefetch = loader.prefetch_batches;
  if (workers == 0) return {.on_demand = true};
  const bool streams = loader.between_epochs == BetweenEpochs::stream;
  if (loader.style != LoaderStyle::tensorflow)
    return {.batches_at_once = workers, .prefetch_factor = prefetch, .streams = streams};
  const std::int64_t whole = batches_of_files(scenario);
  if (whole > prefetch) return {.batches_at_once = whole, .streams = streams};
  return {.shared_batches = true,
          .batches_at_once = prefetch,
          .threads_per_batch = workers,
          .readers_per_batch = loader.readers.value_or(workers),
          .streams = streams};
}

std::int64_t parts_per_batch(std::int64_t makers, std::int64_t batch) {
  if (makers == 1) return 1;
  return std::clamp<std::int64_t>(kPartsUnderWay / makers, 1, batch);
}

ReadFrom read_from(const Scenario& scenario) {
  const LoaderShape shape = loader_shape(scenario);
  const std::int64_t readers =
      shape.shared_batches ? shape.readers_per_batch : shape.batches_at_once;
  return {*scenario.data.at, scenario.data.mode, scenario.data.path,
          gpus_per_node(scenario) * readers};
}

Seconds shuffle_time(const Scenario& scenario) {
  return scenario.loader.shuffle_time_per_file.value *
         (static_cast<double>(dataset_samples(scenario.workload)) /
          static_cast<double>(scenario.workload.dataset()->samples_per_file));
}

PartId socket_of_loader(const Scenario& scenario, std::size_t number) {
  const System& system = *scenario.system;
  if (scenario.loader.placement.part) return *scenario.loader.placement;
  if (number < system.gpus.size()) return socket_of(system, system.gpus[number]);
  return {PartKind::socket, number % system.sockets.size()};
}

NicUser nic_user(const Scenario& scenario, const std::vector<GpuPlan>& before,
                 const GpuFeed& loader) {
  const std::size_t gpus = scenario.system->gpus.size();
  if (loader.number < gpus) return {.gpu = loader.number};
  const auto same_end = [&](const GpuPlan& other) {
    return other.number >= gpus && other.socket == loader.socket;
  };
  return {.turn = static_cast<std::size_t>(std::ranges::count_if(before, same_end))};
}

}  // namespace gpufeed
