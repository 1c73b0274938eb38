// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/exchange/tables.h"

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/job.h"

namespace gpufeed {
namespace {

constexpr double kRow = 4;  ///< bytes of a number of a table

Seconds all_to_all(const Scenario& scenario, const Gpu& gpu, Bytes all) {
  const GpuWays ways = ways_of(scenario, gpu);
  const double gpus = real(gpus_in_use(scenario)), of_node = real(gpus_per_node(scenario));
  Seconds time;
  if (of_node > 1) time = all * ((of_node - 1) / gpus) / ways.local + ways.local_step;
  if (gpus > of_node)
    time = std::max(time, all * ((gpus - of_node) / gpus) / ways.network + ways.network_step);
  return time;
}

}  // namespace

TableTimes table_times(const Scenario& scenario, const Gpu& gpu) {
  const auto& training = scenario.workload.get<kind::Training>();
  TableTimes out;
  if (!training.model->tables) return out;
  const EmbeddingTables& tables = *training.model->tables;
  const double number = bytes_per_number(training.precision);
  const Bytes pooled{number * real(samples_of_step(scenario.workload)) * tables.pooled()};
  if (gpu.memory_bandwidth)
    out.lookups = pooled * (3 * kRow * tables.pooling / number + 2) / *gpu.memory_bandwidth;
  if (split_parameters(scenario) > 0) out.exchange = all_to_all(scenario, gpu, pooled) * 2.0;
  return out;
}

}  // namespace gpufeed
