// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/topology/graph.h"
#include "sim/topology/rings.h"
#include "sim/topology/routes.h"
#include "sim/training/compute_time.h"

namespace gpufeed {

/// Bytes that travel over one route in every step.
struct Flow {
  int route;
  Bytes size;
};

/// What one GPU and its loader do in a step.
struct GpuPlan {
  int number;              ///< in the system
  std::string socket;      ///< whose memory holds its batches
  std::vector<int> reads;  ///< routes; a batch is striped over them in equal parts
  Seconds read_latency;    ///< of one sample
  int copy;                ///< route from host memory
  Seconds compute;
};

/// A scenario as numbers: every route, size and time that the job needs.
struct Plan {
  Graph graph;
  std::vector<Route> routes;
  std::vector<GpuPlan> gpus;
  std::vector<std::string> sources;  ///< drives, or the one store
  std::int64_t batch = 0;            ///< samples per GPU and step
  std::int64_t steps_per_epoch = 0;
  std::int64_t epochs = 1;  ///< the last one may be shorter
  std::int64_t steps = 0;   ///< of all epochs together
  Bytes sample_size;
  Bytes sample_size_deviation;
  Bytes input_size;  ///< of one decoded sample
  Seconds decode;    ///< of one sample on one core
  std::int64_t cores = 0;
  std::int64_t workers_per_gpu = 0;
  std::int64_t prefetch = 0;
  Ratio jitter;                ///< of a worker's own time for a batch
  std::vector<Flow> exchange;  ///< all at once; empty where there is nothing to exchange
  Seconds exchange_latency;
  bool exchange_included = false;  ///< in the compute rates
  Ratio overlap;
  ComputeTime compute;  ///< of the slowest GPU
  std::vector<std::string> warnings;

  double global_batch() const {
    return static_cast<double>(batch) * static_cast<double>(gpus.size());
  }
  const Route& route(int index) const { return routes[static_cast<std::size_t>(index)]; }
  const Resource& resource(int index) const {
    return graph.resources[static_cast<std::size_t>(index)];
  }
};

/// The rate of one transfer alone on a route.
Bandwidth solo_rate(const Plan& plan, const Route& route);

/// \throws InputError  where a GPU has no way to the data, or two GPUs none to each other
Plan make_plan(const Scenario& scenario);

}  // namespace gpufeed
