// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/compute.h"

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "sim/model/transformer/optimizer.h"
#include "sim/plan/exchange/plan_exchange.h"
#include "sim/plan/exchange/tables.h"
#include "sim/plan/limits/lasting_speed.h"
#include "sim/plan/make/cores.h"

namespace gpufeed {
namespace {

double gpus_per_core(const Scenario& scenario) {
  double cores = 0;
  for (const auto& socket : scenario.system->sockets)
    cores += static_cast<double>(socket.model->cores);
  return static_cast<double>(gpus_per_node(scenario)) / cores;
}

/// A rate with the barrier of a node's GPUs is that of their slowest. Its lasting part becomes that
/// of the slowest of all; what varies from step to step is drawn for each GPU.
double beyond_its_barrier(const Scenario& scenario, Seconds step, Ratio spread) {
  const std::int64_t gpus = gpus_per_node(scenario);
  const auto slowest = [&](Ratio deviation, std::int64_t all) {
    return lasting_slowness(deviation, gpus - 1, gpus, all);
  };
  return slowest(spread, gpus_in_use(scenario)) / slowest(spread, gpus) /
         slowest(step_jitter(scenario, step), gpus);
}

/// Parts of a step whose times vary each by itself: batches, of a decoder its micro-batches, and no
/// part that is longer than the longest step of which it was seen by how much they vary.
double parts_apart(const Scenario& scenario, Seconds step) {
  constexpr Seconds kLongest{6.5};  // NVIDIA DeepLearningExamples, QuartzNet of 6 batches
  const auto& training = scenario.workload.get<kind::Training>();
  const auto job = transformer_job(scenario);
  const double batches = job ? job->micro_batches * static_cast<double>(training.steps_together)
                             : static_cast<double>(training.accumulate);
  return std::max(batches, step / kLongest);
}

}  // namespace

Ratio step_jitter(const Scenario& scenario, Seconds step) {
  const auto& training = scenario.workload.get<kind::Training>();
  const double share =
      std::hypot(training.step_jitter.value.value, training.model->batch_spread.value) /
      std::sqrt(parts_apart(scenario, step));
  // Steps of less than 50 ms were not seen; theirs vary by no larger share than those of 50.
  constexpr Seconds kShortest{0.05};
  return {std::hypot(share, training.step_jitter_time.value / std::max(step, kShortest))};
}

StepTime training_step(const Scenario& scenario, std::size_t gpu) {
  const auto& training = scenario.workload.get<kind::Training>();
  const std::string& product = scenario.system->gpus[gpu].model.name;
  const std::int64_t replica = gpus_per_replica(scenario);
  StepTime out;
  out.compute = compute_time(training, product, training.batch_per_gpu * replica);
  Seconds& step = out.compute.step;
  const Gpu& model = *scenario.system->gpus[gpu].model;
  if (out.compute.whole_step) {
    step = step * lasting_slowness(model.speed_spread, gpus_per_node(scenario) - 1,
                                   gpus_per_node(scenario), gpus_in_use(scenario));
    out.all = step + training.step_overhead;
    return out;
  }
  step = step * (static_cast<double>(training.accumulate) * pipeline_stretch(scenario) /
                 static_cast<double>(replica));
  if (training.recompute != Recompute::none) step = step * (1 + 1 / kForwardsPerStep);
  if (out.compute.includes_barrier) {
    step = step * beyond_its_barrier(scenario, step, model.speed_spread);
  } else if (!out.compute.includes_exchange) {
    step = step *
           lasting_slowness(model.speed_spread, static_cast<std::int64_t>(gpu),
                            gpus_per_node(scenario), gpus_in_use(scenario)) /
           shared_power_factor(scenario, gpu);
  }
  if (training.model->tables) {
    const TableTimes tables = table_times(scenario, model);
    if (compute_rows(training, product).empty()) step += tables.lookups;
    if (!out.compute.includes_exchange) step += tables.exchange;
  }
  out.all = step + training.step_overhead + training.contention_overhead * gpus_per_core(scenario);
  if (scenario.loader.decode == DecodeOn::gpu) {
    const Dataset& dataset = *training.dataset;
    const DecodeCost& cost = *decode_cost(**dataset.decoder, {}, product);
    out.decode =
        decode_time(cost, dataset) * static_cast<double>(samples_of_step(scenario.workload));
    out.engine = cost.engine.value_or(DecodeEngine::sms);
    if (out.engine == DecodeEngine::sms) out.all += out.decode;
  }
  out.stages_wait = {step * (1 - 1 / pipeline_stretch(scenario)) / out.all};
  return out;
}

std::vector<StepLoad> step_loads(const Scenario& scenario, const Plan& plan) {
  const auto& training = scenario.workload.get<kind::Training>();
  if (!training.offload_optimizer) return {};
  const auto job = transformer_job(scenario);
  if (!job) return {};
  constexpr OffloadedTraffic kMoved;
  const double own = own_parameters(*job) * static_cast<double>(training.steps_together);
  const Graph& graph = plan.graph;
  ByResource<double> moved(graph.resources.size(), 0.0);
  std::vector<ResourceIndex> memories;
  Bandwidth together;
  for (std::size_t i = 0; i < scenario.system->sockets.size(); ++i) {
    memories.push_back(graph.memory_resource({PartKind::socket, i}));
    together += graph.resource(memories.back()).capacity;
  }
  for (const ResourceIndex memory : memories)
    moved[memory] = kMoved.memory * own * static_cast<double>(plan.gpus.size()) *
                    (graph.resource(memory).capacity / together);
  const auto pass = [&](VertexIndex from, VertexIndex to) {
    const auto route = shortest_route(graph, from, to);
    if (!route) return;
    for (const ResourceIndex r : route->resources)
      if (graph.resource(r).kind != ResourceKind::memory) moved[r] += kMoved.plug * own;
  };
  for (const GpuPlan& gpu : plan.gpus) {
    pass(graph.gpu(gpu.number), graph.memory_of(gpu.socket));
    pass(graph.memory_of(gpu.socket), graph.gpu(gpu.number));
  }
  std::vector<StepLoad> loads;
  for (const ResourceIndex r : moved.indices())
    if (moved[r] > 0) loads.push_back({r, Bytes{moved[r]}});
  return loads;
}

StepTime emulated_step(const Scenario& scenario) {
  const Job& job = **scenario.workload.get<kind::Emulated>().job;
  const Seconds all = job.compute_time + job.step_overhead;
  return {all, {all, false, false, false, job.provenance.basis, job.provenance.source, {}}, {}};
}

Ratio emulated_jitter(const Scenario& scenario) {
  const Ratio alone = scenario.workload.get<kind::Emulated>().step_jitter;
  return {alone.value * std::sqrt(gpus_per_core(scenario))};
}

}  // namespace gpufeed
