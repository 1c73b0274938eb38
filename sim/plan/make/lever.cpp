// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/lever.h"

#include <algorithm>
#include <cmath>

#include "sim/plan/make/uncontended.h"

namespace gpufeed {
namespace {

/// Whether a lever stands for resources of a kind.
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

bool is_staged(const Plan& plan, ResourceIndex resource) {
  return std::ranges::count(plan.graph.staged_limits, resource, &StagedLimit::resource) > 0;
}

bool is_of(Lever lever, const Plan& plan, ResourceIndex resource) {
  return is_staged(plan, resource) ? lever == Lever::staged_copies
                                   : is_of(lever, plan.resource(resource).kind);
}

template <class Visit>
void each_phase(Plan& plan, const Visit& visit) {
  for (ExchangePhase& phase : plan.exchange) visit(phase);
  for (GpuPlan& gpu : plan.gpus)
    for (ExchangePhase& phase : gpu.exchange) visit(phase);
}

bool waits_to_exchange(const Plan& plan) {
  const auto waits = [](const ExchangePhase& phase) { return phase.latency.value > 0; };
  return std::ranges::any_of(plan.exchange, waits) ||
         std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) {
           return std::ranges::any_of(gpu.exchange, waits);
         });
}

bool any_gpu(const Plan& plan, Seconds GpuPlan::*time) {
  return std::ranges::any_of(plan.gpus, [&](const GpuPlan& gpu) { return (gpu.*time).value > 0; });
}

bool carries_any(Lever lever, const Plan& plan, const Loads& loads) {
  const auto indices = plan.graph.resources.indices();
  return std::ranges::any_of(
      indices, [&](ResourceIndex r) { return is_of(lever, plan, r) && loads.total(r) > 0; });
}

bool is_used(Lever lever, const Plan& plan, const Loads& loads) {
  switch (lever) {
    case Lever::storage_latency:
      return plan.hit_rate() < 1 &&
             (any_gpu(plan, &GpuPlan::read_latency) || any_gpu(plan, &GpuPlan::pull_latency));
    case Lever::exchange_latency:
      return waits_to_exchange(plan);
    case Lever::cores:
    case Lever::core_speed:
      return core_time(plan).value > 0;
    case Lever::workers:
      return !plan.loader.on_demand;
    case Lever::process:
      return plan.takes_over() || carries_any(lever, plan, loads);
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
  for (const ResourceIndex r : plan.graph.resources.indices())
    if (is_of(shift.lever, plan, r))
      plan.graph.resources[r].capacity = plan.graph.resources[r].capacity * shift.factor;
}

/// Whether a lever moves the narrowest link of a route; all that stages copies goes before.
bool narrows(Lever lever, const Plan& plan, const Route& route) {
  const auto staged = [&](ResourceIndex r) { return is_staged(plan, r); };
  if (std::ranges::any_of(route.resources, staged)) return lever == Lever::staged_copies;
  const auto rate = [&](ResourceIndex r) { return plan.resource(r).capacity.value; };
  std::optional<ResourceIndex> narrowest;
  for (const ResourceIndex r : route.resources)
    if (plan.resource(r).kind != ResourceKind::memory && (!narrowest || rate(r) < rate(*narrowest)))
      narrowest = r;
  return narrowest && is_of(lever, plan.resource(*narrowest).kind);
}

/// The routes of which a lever moves what a single transfer attains. Taken before capacities move.
std::vector<RouteIndex> capped_by(Lever lever, Plan& plan) {
  std::vector<RouteIndex> found;
  const auto add = [&](RouteIndex route) {
    if (plan.route(route).cap && !std::ranges::count(found, route)) found.push_back(route);
  };
  for (const GpuPlan& gpu : plan.gpus) {
    if (lever == Lever::storage)
      for (const auto* routes : {&gpu.reads, &gpu.pulls, &gpu.passes})
        std::ranges::for_each(*routes, add);
    if (lever == Lever::core_speed && gpu.copy) add(*gpu.copy);
  }
  if (plan.checkpoint) {
    for (const CheckpointWriter& writer : plan.checkpoint->writers) {
      if (lever == Lever::storage)
        for (const auto& piece : writer.pieces) add(piece.route);
      if (lever == Lever::core_speed) add(writer.by_software);
    }
  }
  each_phase(plan, [&](const ExchangePhase& phase) {
    for (const Flow& flow : phase.flows)
      if (narrows(lever, plan, plan.route(flow.route))) add(flow.route);
  });
  return found;
}

void scale_caps(const Shift& shift, Plan& plan) {
  for (const RouteIndex route : capped_by(shift.lever, plan))
    plan.routes[route].cap = *plan.routes[route].cap * shift.factor;
}

void quicken_process(double factor, Plan& plan) {
  for (Seconds* time : plan.ProcessTimes::all()) *time = *time / factor;
}

void quicken_cores(double factor, Plan& plan) {
  for (Seconds* time : plan.CoreTimes::all()) *time = *time / factor;
  quicken_process(factor, plan);
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
    if (is_of(lever, plan, r) && load(r) > (busiest ? load(*busiest) : 0)) busiest = r;
  return busiest;
}

double apply(const Shift& shift, Plan& plan) {
  double factor = shift.factor;
  scale_caps(shift, plan);
  switch (shift.lever) {
    case Lever::storage_latency:
      for (GpuPlan& gpu : plan.gpus) {
        gpu.read_latency = gpu.read_latency / factor;
        gpu.pull_latency = gpu.pull_latency / factor;
      }
      break;
    case Lever::exchange_latency:
      each_phase(plan, [&](ExchangePhase& phase) { phase.latency = phase.latency / factor; });
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
      quicken_process(factor, plan);
      scale_capacities(shift, plan);
      break;
    case Lever::gpu_decode:
    case Lever::compute:
      quicken_gpus(shift, plan);
      break;
    default:
      scale_capacities(shift, plan);
  }
  const auto uncontended = [&](ResourceIndex r) { return plan.uncontended[r]; };
  if (std::ranges::any_of(plan.uncontended.indices(), uncontended))
    plan.uncontended = uncontended_memories(plan);
  return factor;
}

}  // namespace gpufeed
