// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/topology/bound.h"
#include "sim/training/plan.h"

namespace gpufeed {

enum class StageKind { storage, network, pcie, decode, workers, copy, memory, compute, exchange };
inline constexpr std::size_t kStages = 9;
template <>
struct EnumNames<StageKind> {
  static constexpr std::array<std::string_view, kStages> names{
      "storage",     "network",        "PCIe and sockets",
      "CPU decode",  "loader workers", "host-to-device copy",
      "host memory", "GPU compute",    "gradient exchange"};
};

/// What one stage could deliver if nothing else limited it.
struct StageLimit {
  StageKind kind;
  Rate capacity;      ///< infinite where the job does not use it
  int resource = -1;  ///< that sets it; -1 where it is no resource of the graph
};

/// Bytes that every sample moves over each resource of the graph, by purpose, once the page cache
/// holds what it will. All GPUs advance in step, so each takes 1/N of the samples.
struct Loads {
  std::vector<double> read, copied, exchanged;

  double total(std::size_t resource) const {
    return read[resource] + copied[resource] + exchanged[resource];
  }
};
Loads loads_of(const Plan& plan);

/// Time of one core per sample, everything that a worker does included.
Seconds core_time(const Plan& plan);

/// The time that gradients travel in a step when nothing else does: of each phase its latency, then
/// the slowest of the resources that it crosses.
Seconds exchange_time(const Plan& plan, const std::vector<ExchangePhase>& phases);
Seconds exchange_time(const Plan& plan);

/// A step of a GPU that never waits for data: compute and what of the exchange it cannot hide.
Seconds undisturbed_step(const Plan& plan);

/// Every stage, in the order of travel. Reads, copies and gradients are taken apart: each stage is
/// given all of the resources it shares, but for host memory, which counts every pass.
std::vector<StageLimit> stage_limits(const Plan& plan, const Loads& loads);

/// No schedule is faster: the least of max-flow from the data to the GPUs, every resource over its
/// load, the decode cores, the loader's workers and the undisturbed step.
struct Bound {
  Rate rate;
  std::vector<std::string> cut;  ///< what sets it, in the user's terms
};
Bound throughput_bound(const Plan& plan);

}  // namespace gpufeed
