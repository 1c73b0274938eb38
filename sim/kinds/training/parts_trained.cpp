// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/parts_trained.h"

#include <algorithm>

#include "sim/plan/limits/stages.h"

namespace gpufeed {

void set_parts_trained(Plan& plan, const std::vector<TimeSpent>& spent) {
  double all = 0;
  for (std::size_t g = 0; g < plan.gpus.size(); ++g) {
    GpuPlan& gpu = plan.gpus[g];
    const Seconds computing = gpu.compute - gpu.decode_in_compute;
    gpu.part = spent[g][static_cast<std::size_t>(Activity::compute)] / computing.value;
    all += gpu.part;
  }
  for (GpuPlan& gpu : plan.gpus) gpu.part /= all;
}

Rate bound_of_parts(const Plan& plan, const std::vector<TimeSpent>& spent, Rate bound) {
  if (plan.parts_equal()) return bound;
  Plan trained = plan;
  set_parts_trained(trained, spent);
  for (const auto& stage : stage_limits(trained, loads_of(trained)))
    bound = std::min(bound, stage.capacity);
  return bound;
}

}  // namespace gpufeed
