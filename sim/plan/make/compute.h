// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/compute_time.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// A step of one GPU that never waits.
struct StepTime {
  Seconds all;               ///< what it computes, what its processors decode, and the host's work
  ComputeTime compute;       ///< what it computes
  Ratio stages_wait = {};    ///< share of it, in which only other stages of the pipeline compute
  Seconds decode = {};       ///< of the batch, where the GPU decodes it
  DecodeEngine engine = {};  ///< by what
};

/// Of a training job: what a GPU's steps of time `step` vary by. The share that grows with a step,
/// its own and that of its batches together: of n batches, whose gradients are summed, or n
/// micro-batches 1/sqrt(n) of it, for they vary independently, as do parts of more than 6.5 s.
/// Beside it `step_jitter_time`, whatever the step, but no more than that is of one of 50 ms.
Ratio step_jitter(const Scenario& scenario, Seconds step);

/// Of a training step on GPU `gpu` of a node, from its compute rate:
/// - the batches of a step follow one another, with a fixed part each (`accumulate`);
/// - with `workload.recompute` each block's forward pass is done twice;
/// - a GPU that holds part of a model computes its part, and waits in the pipeline
///   (plan_exchange.h, `pipeline_stretch`);
/// - GPUs of one model differ (limits/lasting_speed.h), unless the rate is that of several; one
/// that
///   includes the barrier is that of a node's slowest: on several nodes it is as much slower as the
///   slowest of all, and what jitter makes the slowest of a node take is left to the simulation;
/// - two GPUs of one board share its power, unless the rate was measured so;
/// - the host's work: `step_overhead`, and `contention_overhead` for every GPU that a core serves.
StepTime training_step(const Scenario& scenario, std::size_t gpu);

/// With workload.offload_optimizer, of each GPU of a node and its `own` parameters: 36 B through
/// the hosts' memory, of all sockets' as each can give, and 2 B over the links to a GPU and back.
/// None otherwise. \param plan  with the graph and GPUs of the first node
std::vector<StepLoad> step_loads(const Scenario& scenario, const Plan& plan);

/// What a storage benchmark sleeps in a GPU's place, and the host's work.
StepTime emulated_step(const Scenario& scenario);

/// By which such a step varies: j sqrt(n), j what is said of an accelerator with a core to itself,
/// n those that a core serves. Each delays the others of its core at times of its own, and the
/// variances of what does not depend on one another add up.
Ratio emulated_jitter(const Scenario& scenario);

}  // namespace gpufeed
