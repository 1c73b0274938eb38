// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/load/check/checks.h"
#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/job.h"

namespace gpufeed {
namespace {

/// Which keys may make a sample fit.
std::string_view way_out(const Scenario& scenario, const GpuMemory& need, Bytes memory) {
  const bool alone = scenario.nodes * gpus_per_node(scenario) == 1;
  if (need.fixed() < memory)
    return alone ? "; workload.recompute keeps less of it"
                 : "; workload.recompute keeps less of it, parallel.tensor divides it among GPUs";
  if (alone) return "";
  if (scenario.workload.get<kind::Training>().model->tables && split_parameters(scenario) == 0)
    return "; parallel.tables = \"split\" divides its tables among all GPUs";
  return "; parallel.shard divides among GPUs what copies of the model have in common, "
         "parallel.tensor and parallel.pipeline the model";
}

void check_on(const Scenario& scenario, const Ref<Gpu>& gpu, Diagnostics& out) {
  const auto& workload = scenario.workload.get<kind::Training>();
  const GpuMemory need = gpu_memory(scenario);
  const std::int64_t batch = workload.batch_per_gpu;
  if (need.at(batch) <= gpu->memory) return;
  const auto largest = need.fixed() < gpu->memory && need.activations.value > 0
                           ? std::floor((gpu->memory - need.fixed()) / need.activations)
                           : 0;
  const KeyPath of_batch("workload.batch_per_gpu");
  if (largest >= 1)
    out.refuse(ProblemCode::too_large, of_batch, scenario.workload.where,
               ": training {} in {} takes {} at batch {} ({} for parameters, "
               "gradients and {}; {} a sample for activations), and {} has {}; at most {} samples "
               "fit",
               workload.model.name, workload.precision, text(need.at(batch), 3), batch,
               text(need.fixed(), 3), name_of(workload.optimizer.value), text(need.activations, 3),
               gpu.name, text(gpu->memory, 3), text_number(largest, 15))
        .fixes.push_back({Fix::Kind::set, of_batch, fmt::format("{:.0f}", largest)});
  else
    out.refuse(ProblemCode::too_large, "workload.model", scenario.workload.where,
               ": training {} in {} takes {} for parameters, gradients and {}, and {} "
               "a sample for activations; not even one sample fits into the {} of {}{}",
               workload.model.name, workload.precision, text(need.fixed(), 3),
               name_of(workload.optimizer.value), text(need.activations, 3), text(gpu->memory, 3),
               gpu.name, way_out(scenario, need, gpu->memory));
}

}  // namespace

void check_memory(const Scenario& scenario, Diagnostics& out) {
  const auto* training = scenario.workload.find<kind::Training>();
  if (!training || !training->model || transformer_job(scenario)) return;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < scenario.system->gpus.size(); ++i) {
    if (static_cast<std::int64_t>(i) >= gpus_per_node(scenario)) break;
    const auto& gpu = scenario.system->gpus[i].model;
    if (gpu && seen.insert(gpu.name).second) check_on(scenario, gpu, out);
  }
}

}  // namespace gpufeed
