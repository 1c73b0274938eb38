// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/job/epochs/held.h"
#include "sim/model/result/result.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {

/// The checkpoints of a job.
struct Saved {
  SavedEpochs first;  ///< of the first epoch, where it stands alone
  SavedEpochs later;
  Seconds restart;

  std::int64_t count() const { return first.count + later.count; }
};

/// What a simulated job amounts to. Records are without checkpoints.
struct Outcome {
  Record record;                      ///< of the later epochs, or of all where they are alike
  std::optional<Record> first_epoch;  ///< where later ones read elsewhere, or from the page cache
  std::optional<Plan> first_plan;     ///< where they read elsewhere
  std::optional<Saved> saved;
  Bound bound;
  Seconds staging;  ///< before training
  std::optional<EpochsAccount> first;
  Unheld unheld;           ///< `epochs` and their steady pace, as simulated
  EpochsAccount epochs;    ///< the later ones, or all: what is said of the job is of these
  Rate throughput;         ///< their samples over their time
  double utilization = 0;  ///< share of the time that GPUs compute, or their processors decode
  double first_utilization = 0;  ///< the same of `first`
  std::vector<TimeSpent> spent;  ///< of each GPU; checkpoints included
  TimeSpent share{};             ///< mean over GPUs
  Folded folded;
  std::int64_t runs = 1;    ///< whose mean `epochs` is
  double other_shares = 0;  ///< by how much runs differ whose readers get other shares of a store
};

/// Turns what was simulated into the Result.
Result make_result(const Scenario& scenario, const Plan& plan, const Outcome& outcome);

/// What the whole job comes to: its rate and utilization, the rates of its epochs, and what storage
/// must deliver in them.
/// \param stages  of `plan`
/// \param result  has the job's times and checkpoints
void answer_whole_job(const Scenario& scenario, const Plan& plan,
                      const std::vector<PathStageLimit>& stages, const Outcome& outcome,
                      Result& result);

/// Samples/s that storage and the links to it could deliver.
double storage_limit(const std::vector<PathStageLimit>& stages);

/// What the emulated benchmark would report.
BenchmarkScore benchmark_score(const Plan& plan, const Outcome& outcome, Ratio threshold);

/// What holds the job back, with the evidence, and what would be next.
Bottleneck find_bottleneck(const Plan& plan, const Outcome& outcome,
                           const std::vector<PathStageLimit>& stages);

/// What sets a stage: drives, a link, cores.
Limiter stage_limiter(const Plan& plan, const PathStageLimit& stage);

/// Whether a store is what sets it.
bool is_of_store(const Plan& plan, const PathStageLimit& stage);

/// A stage by the name that fits the plan: drives or store for storage.
Limiter stage_name(const Plan& plan, PathStage kind);

}  // namespace gpufeed
