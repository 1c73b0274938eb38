// SPDX-License-Identifier: Apache-2.0
#include "sim/job/counted_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/plan/limits/stages.h"

namespace gpufeed {

std::int64_t segment_steps(const Plan& plan) {
  constexpr std::int64_t kFewestSteps = 8;
  const std::int64_t cycle = plan.loader.batches_at_once;
  return cycle * ((kFewestSteps + cycle - 1) / cycle);
}

std::int64_t steps_to_mix(const Plan& plan, double pace_deviation) {
  constexpr std::size_t kMany = 16;
  constexpr double kToSpare = 1.5;
  constexpr double kMost = 1000;  // an order that lasts longer is not waited for
  const auto workers = static_cast<std::size_t>(plan.loader.batches_at_once);
  if (plan.gpus.size() * workers > kMany) return 0;
  const double step_rate = plan.global_batch() / fed_step(plan).value;
  double loader_rate = std::numeric_limits<double>::infinity();
  for (const auto& stage : stage_limits(plan, loads_of(plan)))
    if (stage.kind <= PathStage::process) loader_rate = std::min(loader_rate, stage.capacity.value);
  if (loader_rate > kToSpare * step_rate) return 0;
  const double round =
      static_cast<double>(workers) * plan.global_batch() / std::min(step_rate, loader_rate);
  const auto batch = static_cast<double>(plan.batch);
  const GpuPlan& gpu = plan.gpus.front();
  const double latency = plan.reads_through
                             ? gpu.read_latency.value * plan.from_sources(plan.hits(gpu)) +
                                   gpu.pull_latency.value * plan.from_store(plan.hits(gpu))
                             : gpu.read_latency.value;
  const double own = (plan.decode.value / static_cast<double>(plan.loader.threads_per_batch) +
                      latency / static_cast<double>(plan.loader.readers_per_batch)) *
                         batch +
                     plan.batch_overhead.value;
  const double sizes =
      plan.sample_size_deviation / plan.sample_size / std::sqrt(batch) * (round - own);
  const double varies = std::hypot(own * pace_deviation, std::max(0.0, sizes));
  const double rounds = std::pow(round / std::max(varies, round * 1e-6), 2);
  return static_cast<std::int64_t>(std::min(rounds * static_cast<double>(workers), kMost));
}

}  // namespace gpufeed
