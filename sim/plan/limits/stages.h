// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/facts/limiters.h"
#include "sim/plan/plan.h"
#include "sim/topology/bound.h"

namespace gpufeed {

/// The stages of the path of a sample, from the storage to the gradients. `process` is there where
/// a loader's process limits what it takes over, `gpu_decode` where GPUs decode. (The stages of a
/// pipeline: PipelineStage.)
enum class PathStage {
  storage,
  network,
  pcie,
  decode,
  workers,
  process,
  copy,
  memory,
  gpu_decode,
  compute,
  exchange
};
template <>
struct EnumNames<PathStage> {
  static constexpr auto names = words_of<PathStage>({{PathStage::storage, "storage"},
                                                     {PathStage::network, "network"},
                                                     {PathStage::pcie, "PCIe and sockets"},
                                                     {PathStage::decode, "CPU decode"},
                                                     {PathStage::workers, "loader workers"},
                                                     {PathStage::process, "loader process"},
                                                     {PathStage::copy, "host-to-device copy"},
                                                     {PathStage::memory, "host memory"},
                                                     {PathStage::gpu_decode, "GPU decode"},
                                                     {PathStage::compute, "GPU compute"},
                                                     {PathStage::exchange, "gradient exchange"}});
};

/// What one stage could deliver if nothing else limited it.
struct PathStageLimit {
  PathStage kind;
  Rate capacity;                               ///< infinite where the job does not use it
  std::optional<ResourceIndex> resource = {};  ///< that sets it, where it is one
};

/// Bytes that every sample moves over each resource of the graph, by purpose, once the page cache
/// holds what it will. Each GPU takes its part of the samples.
struct Loads {
  ByResource<double> read, copied, exchanged;
  ByResource<double> in_steps;  ///< of GPUs' own, whose time is in the compute rate (StepLoad)

  /// What is simulated, so that it can hold the job back.
  double total(ResourceIndex resource) const {
    return read[resource] + copied[resource] + exchanged[resource];
  }
  double all(ResourceIndex resource) const { return total(resource) + in_steps[resource]; }
};
Loads loads_of(const Plan& plan);

/// What one sample of a GPU moves over a route.
struct Use {
  RouteIndex route;
  Bytes size;
  ByResource<double> Loads::*purpose;
};
/// Exchanges that all GPUs make together left out.
std::vector<Use> uses_of(const Plan& plan, const GpuPlan& gpu);

/// Time of one core per sample, everything that a worker does included: the mean, or of that GPU.
Seconds core_time(const Plan& plan);
Seconds core_time(const Plan& plan, const GpuPlan& gpu);

/// The workers of a GPU build one batch after the other: from one to the next, where each is as
/// fast as if it were alone.
Seconds worker_time(const Plan& plan, const GpuPlan& gpu);
/// The copies of one GPU follow one another, so each also pays its latency.
Seconds copy_time(const Plan& plan, const GpuPlan& gpu);

/// What all GPUs' decoding engines could deliver.
Rate engine_limit(const Plan& plan);

/// The time of phases of an exchange when nothing else travels: the latency, then the slowest of
/// the resources that the flows cross. \p plan must outlive it.
class PhaseTimes {
 public:
  explicit PhaseTimes(const Plan& plan) : plan_(plan), bytes_(plan.graph.resources.size(), 0.0) {}
  Seconds of(const ExchangePhase& phase);
  Seconds of(const std::vector<ExchangePhase>& phases);

 private:
  const Plan& plan_;
  ByResource<double> bytes_;  ///< zero between calls
};
/// Of a step; where every GPU exchanges by itself, of the slowest.
Seconds exchange_time(const Plan& plan);

/// What every step takes besides where batches are made, taken over or copied only when their GPU
/// has nothing to do: the least of all GPUs, alone.
Seconds time_before_step(const Plan& plan);

/// A step of one GPU that waits neither for data nor for others; decoding engines left out.
Seconds own_step(const Plan& plan, PhaseTimes& times, const GpuPlan& gpu);

/// A step of GPUs that never wait for data: compute and what of the exchange they cannot hide; of
/// all of them together, where they do not wait for one another.
Seconds undisturbed_step(const Plan& plan);
/// The same where they also wait for their decoding engines, which work beside the step.
Seconds fed_step(const Plan& plan);

/// The part of all batches that each GPU trains where it never waits for data: equal ones, or in
/// proportion to the steps that each would make alone.
std::vector<double> parts_of_gpus(const Plan& plan);

/// Every stage, in the order of travel. Reads, copies and gradients are taken apart: each stage is
/// given all of the resources it shares, but for host memory, which counts every pass.
std::vector<PathStageLimit> stage_limits(const Plan& plan, const Loads& loads);

/// No schedule is faster: the least of max-flow from the data to the GPUs, every resource over its
/// load, the decode cores, the loader's workers, decoding engines and the undisturbed step; of GPUs
/// that advance each at its own speed, what shared_by_own_pace says.
struct Bound {
  Rate rate;
  std::vector<Limiter> cut;  ///< what sets it
};
Bound throughput_bound(const Plan& plan);
/// \param loads  those of the plan
Bound throughput_bound(const Plan& plan, const Loads& loads);

}  // namespace gpufeed
