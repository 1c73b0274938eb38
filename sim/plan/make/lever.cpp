// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/lever.h"

#include <algorithm>
#include <cmath>

#include "sim/plan/make/quiet.h"

namespace gpufeed {
namespace {

/// The resources that a lever stands for, where it stands for some.
bool is_of(Lever lever, ResourceKind kind) {
  using enum ResourceKind;
  switch (lever) {
    case Lever::storage:
      return kind == drive || kind == array;
    case Lever::network:
      return kind == network;
    case Lever::pcie:
      return kind == bus;
    case Lever::socket_link:
      return kind == socket_link;
    case Lever::memory:
      return kind == memory;
    case Lever::nvlink:
      return kind == nvlink;
    case Lever::process:
      return kind == process;
    default:
      return false;
  }
}

bool any_gpu(const Plan& plan, Seconds GpuPlan::*time) {
  return std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) { return (gpu.*time).value > 0; });
}

bool carries_any(Lever lever, const Plan& plan, const Loads& loads) {
  const auto indices = plan.graph.resources.indices();
  return std::ranges::any_of(indices, [&](ResourceIndex r) {
    return is_of(lever, plan.resource(r).kind) && loads.total(r) > 0;
  });
}

bool is_used(Lever lever, const Plan& plan, const Loads& loads) {
  switch (lever) {
    case Lever::storage_latency:
      return plan.hit_rate() < 1 && any_gpu(plan, &GpuPlan::read_latency);
    case Lever::cores:
    case Lever::core_speed:
      return core_time(plan).value > 0;
    case Lever::workers:
      return !plan.loader.on_demand;
    case Lever::process:
      return plan.take_over.value > 0 || carries_any(lever, plan, loads);
    case Lever::gpu_decode:
      return any_gpu(plan, &GpuPlan::decode_in_compute) ||
             any_gpu(plan, &GpuPlan::decode_by_engine);
    case Lever::compute:
      return any_gpu(plan, &GpuPlan::compute);
    default:
      return carries_any(lever, plan, loads);
  }
}

void scale_capacities(const Shift& shift, Plan& plan) {
  for (Resource& resource : plan.graph.resources)
    if (is_of(shift.lever, resource.kind)) resource.capacity = resource.capacity * shift.factor;
}

void quicken_cores(double factor, Plan& plan) {
  for (Seconds* time :
       {&plan.decode, &plan.fetch, &plan.batch_overhead, &plan.take_over, &plan.reader_time})
    *time = *time / factor;
}

double add_workers(double factor, Plan& plan) {
  LoaderShape& loader = plan.loader;
  std::int64_t& workers = loader.shared_batches ? loader.threads_per_batch : loader.batches_at_once;
  const auto before = static_cast<double>(workers);
  const double wanted = factor * before;
  const double whole = factor > 1 ? std::ceil(wanted) : std::max(1.0, std::floor(wanted));
  workers = static_cast<std::int64_t>(whole);
  if (loader.shared_batches) {
    const double readers = static_cast<double>(loader.readers_per_batch) * whole / before;
    loader.readers_per_batch = std::max<std::int64_t>(1, std::llround(readers));
  }
  return whole / before;
}

void quicken_gpus(const Shift& shift, Plan& plan) {
  for (GpuPlan& gpu : plan.gpus) {
    const Seconds computing = gpu.compute - gpu.decode_in_compute;
    if (shift.lever == Lever::compute) {
      gpu.compute = computing / shift.factor + gpu.decode_in_compute;
      continue;
    }
    gpu.decode_in_compute = gpu.decode_in_compute / shift.factor;
    gpu.decode_by_engine = gpu.decode_by_engine / shift.factor;
    gpu.compute = computing + gpu.decode_in_compute;
  }
  if (shift.lever == Lever::compute) plan.nominal_compute = plan.nominal_compute / shift.factor;
}

}  // namespace

std::vector<Lever> levers_of(const Plan& plan) {
  const Loads loads = loads_of(plan);
  std::vector<Lever> used;
  for (std::size_t i = 0; i < EnumNames<Lever>::names.size(); ++i)
    if (const auto lever = static_cast<Lever>(i); is_used(lever, plan, loads))
      used.push_back(lever);
  return used;
}

std::optional<ResourceIndex> busiest_of(Lever lever, const Plan& plan) {
  const Loads loads = loads_of(plan);
  const auto load = [&](ResourceIndex r) {
    return loads.total(r) / plan.resource(r).capacity.value;
  };
  std::optional<ResourceIndex> busiest;
  for (const ResourceIndex r : plan.graph.resources.indices())
    if (is_of(lever, plan.resource(r).kind) && load(r) > (busiest ? load(*busiest) : 0))
      busiest = r;
  return busiest;
}

double apply(const Shift& shift, Plan& plan) {
  double factor = shift.factor;
  switch (shift.lever) {
    case Lever::storage_latency:
      for (GpuPlan& gpu : plan.gpus) gpu.read_latency = gpu.read_latency / factor;
      break;
    case Lever::cores:
      for (double& pool : plan.cores) pool *= factor;
      plan.physical_cores *= factor;
      break;
    case Lever::core_speed:
      quicken_cores(factor, plan);
      break;
    case Lever::workers:
      factor = add_workers(factor, plan);
      break;
    case Lever::process:
      plan.take_over = plan.take_over / factor;
      scale_capacities(shift, plan);
      break;
    case Lever::gpu_decode:
    case Lever::compute:
      quicken_gpus(shift, plan);
      break;
    default:
      scale_capacities(shift, plan);
  }
  const auto quiet = [&](ResourceIndex r) { return plan.quiet[r]; };
  if (std::ranges::any_of(plan.quiet.indices(), quiet)) plan.quiet = quiet_memories(plan);
  return factor;
}

}  // namespace gpufeed
