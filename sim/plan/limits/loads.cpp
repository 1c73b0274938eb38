// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/loads.h"

#include <algorithm>

namespace gpufeed {

void add_load(ByResource<double>& loads, const Route& route, double bytes) {
  for (const ResourceIndex resource : route.resources) loads[resource] += bytes;
}

Bytes read_of_sample(const Plan& plan, const GpuFeed& gpu) {
  return plan.sample_size * (plan.from_sources(plan.hits(gpu)) * plan.read_per_byte);
}

Bytes pulled_of_sample(const Plan& plan, const GpuFeed& gpu) {
  return plan.sample_size * (plan.hits(gpu).mean_written() * plan.pull_per_byte);
}
Bytes passed_of_sample(const Plan& plan, const GpuFeed& gpu) {
  const NodeHits& hits = plan.hits(gpu);
  const double passed = std::max(0.0, plan.from_store(hits) - hits.mean_written());
  return plan.sample_size * (passed * plan.pull_per_byte);
}

std::vector<PathStageLimit> limits_of_shared_drives(const Plan& plan, const Loads& loads) {
  std::vector<PathStageLimit> limits;
  if (!plan.reads_through) return limits;
  for (const SharedDrive& drive : plan.shared_drives) {
    const double taken = loads.read[drive.read] / plan.resource(drive.read).capacity.value +
                         loads.read[drive.write] / plan.resource(drive.write).capacity.value;
    if (taken > 0) limits.push_back({PathStage::storage, {1 / taken}, drive.read});
  }
  return limits;
}

std::vector<Use> uses_of(const Plan& plan, const GpuPlan& gpu) {
  std::vector<Use> uses;
  const Bytes read = read_of_sample(plan, gpu);
  for (const RouteIndex route : gpu.reads)
    uses.push_back({route, read / static_cast<double>(gpu.reads.size()), &Loads::read});
  const auto add = [&](const std::vector<RouteIndex>& routes, Bytes size) {
    for (const RouteIndex route : routes)
      uses.push_back({route, size / static_cast<double>(routes.size()), &Loads::read});
  };
  add(gpu.pulls, pulled_of_sample(plan, gpu));
  add(gpu.passes, passed_of_sample(plan, gpu));
  if (gpu.hits) uses.push_back({*gpu.hits, plan.sample_size * plan.hit_rate(gpu), &Loads::read});
  if (gpu.copy) uses.push_back({*gpu.copy, plan.input_size, &Loads::copied});
  for (const auto& phase : gpu.exchange)
    for (const auto& flow : phase.flows)
      uses.push_back({flow.route, flow.size / static_cast<double>(plan.batch), &Loads::exchanged});
  return uses;
}

Loads loads_of(const Plan& plan) {
  const ByResource<double> none(plan.graph.resources.size(), 0.0);
  Loads loads{none, none, none, none};
  for (const auto& gpu : plan.gpus)
    for (const Use& use : uses_of(plan, gpu))
      add_load(loads.*use.purpose, plan.route(use.route), use.size.value * gpu.part);
  for (const auto& phase : plan.exchange)
    for (const auto& flow : phase.flows)
      add_load(loads.exchanged, plan.route(flow.route), flow.size.value / plan.global_batch());
  for (const StepLoad& load : plan.step_loads)
    loads.in_steps[load.resource] += load.moved.value / plan.global_batch();
  for (const ResourceIndex r : none.indices())
    for (auto* const by : {&loads.read, &loads.copied, &loads.exchanged})
      (*by)[r] *= plan.resource(r).stands_for;
  return loads;
}

}  // namespace gpufeed
