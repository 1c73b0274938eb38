// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/result.h"
#include "sim/training/job.h"
#include "sim/training/stages.h"

namespace gpufeed {

/// What a simulated job amounts to.
struct Outcome {
  Record record;                      ///< of the first epoch, and of the later ones if like it
  std::optional<Record> first_epoch;  ///< where later epochs find more in the page cache
  Seconds staging;
  Rate throughput;         ///< steady
  double utilization = 0;  ///< share of the time that GPUs compute
  TimeSpent share{};       ///< mean over GPUs
};

/// Turns what was simulated into the Result.
Result make_result(const Scenario& scenario, const Plan& plan, const Outcome& outcome);

/// What holds the job back, with the evidence, and what would be next.
Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<StageLimit>& stages);

/// What sets a stage, in words: "drives ssd0-ssd3", "plx0 -> cpu0", "40 cores".
std::string stage_limiter(const Plan& plan, const StageLimit& stage);

/// A stage by the name that fits the plan: "drives" or "store" for storage.
std::string stage_name(const Plan& plan, StageKind kind);

}  // namespace gpufeed
