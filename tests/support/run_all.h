// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/engine.h"
#include "sim/job/job.h"

namespace gpufeed {

/// Every step of the job, none extrapolated.
inline Record run_all(const Plan& plan, Engine& engine, std::uint64_t seed) {
  Random random(seed);
  return TrainingJob(plan, engine, random, {false, {0.001}, 0}, {plan.steps, plan.steps_per_epoch})
      .run();
}

}  // namespace gpufeed
