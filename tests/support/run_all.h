// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/engine.h"
#include "sim/job/job.h"

namespace gpufeed {

/// Every step of the job, none extrapolated.
inline Record run_all(const Plan& plan, Engine& engine, std::uint64_t seed) {
  Epochs epochs;
  epochs.steps = plan.steps;
  epochs.per_epoch = plan.steps_per_epoch;
  return TrainingJob(plan, engine, seed, {false, {0.001}, 0}, epochs).run();
}

}  // namespace gpufeed
