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

/// Of the epochs that one record stands for.
struct EpochTimes {
  double first = 0;
  double later = 0;
  double all = 0;
};
EpochTimes epoch_times(const Plan& plan, const Record& record, std::int64_t steps);

/// What the emulated benchmark would report.
BenchmarkScore benchmark_score(const Plan& plan, const Outcome& outcome, Ratio threshold);

/// What holds the job back, with the evidence, and what would be next.
Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<StageLimit>& stages);

/// What sets a stage, in words: "drives ssd0-ssd3", "plx0 -> cpu0", "40 cores".
std::string stage_limiter(const Plan& plan, const StageLimit& stage);

/// A stage by the name that fits the plan: "drives" or "store" for storage.
std::string stage_name(const Plan& plan, StageKind kind);

}  // namespace gpufeed
