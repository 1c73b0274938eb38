// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// Serving a model as numbers. Ways, memory passes, latencies and the time of a core for a sample
/// are those of training on the same machine (sim/plan/make), where every input is read for the
/// first time.
struct ServingPlan {
  Graph graph;
  Routes routes;
  std::vector<GpuFeed> gpus;
  bool whole_files = false;  ///< each input on one source; else striped over all
  bool reads = true;         ///< inputs lie in storage; else nobody has `reads`
  Bytes sample_size;         ///< of an input, as stored
  Bytes sample_size_deviation;
  Bytes input_size;           ///< of one that is decoded
  Seconds core_time;          ///< of one core for an input: decoding, and fetching it from a store
  std::vector<double> cores;  ///< of each pool, in cores without SMT
  std::vector<std::vector<Seconds>> forward;  ///< of each GPU: of a batch of 1, 2, ... requests
  Basis basis = Basis::estimate;              ///< of the times of the forward pass
  std::vector<Warning> warnings;
};

/// A forward pass takes what `workload.forward` says of its batch, else a third of a training step
/// of that batch (compute_time.h): a step is forward and backward, and backward costs twice as
/// much. All hardware threads decode.
/// \source  a training step is three times the forward pass: HPE Deep Learning Cookbook
/// \throws InputError  where a GPU has no way to the data
ServingPlan make_serving_plan(const Scenario& scenario);

}  // namespace gpufeed
