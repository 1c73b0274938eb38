// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/answer.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "sim/answer/failures/failure_answer.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

using Stages = std::vector<PathStageLimit>;

double capacity_of(const Stages& stages, std::initializer_list<PathStage> kinds) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& stage : stages)
    if (std::ranges::count(kinds, stage.kind) > 0) least = std::min(least, stage.capacity.value);
  return least;
}

std::optional<double> checkpoint_write(const Plan& plan, const Result& result) {
  if (!result.checkpoint || result.checkpoint->count == 0 || result.checkpoint->write_s <= 0)
    return {};
  double size = 0;
  for (const CheckpointWriter& writer : plan.checkpoint->writers)
    for (const auto& piece : writer.pieces) size += piece.size.value;
  return size / result.checkpoint->write_s;
}

StorageDemand demand_of(const Plan& plan, const Plan& first, const Stages& first_stages,
                        const Result& result) {
  const double fed = plan.global_batch() / undisturbed_step(plan).value;
  // Of drives that are a cache, the store behind them is in question.
  const double read =
      plan.sample_size.value * (plan.reads_through ? plan.pull_per_byte : plan.read_per_byte);
  const auto missed_of = [&](const HitCurve& hits) {
    return read * (plan.reads_through ? std::max(0.0, 1 - hits.found()) : 1 - hits.mean());
  };
  const double missed = missed_of(first.hits());
  // What workers can take in, as far as the way to them lets it through; the store is in question.
  const double taken_in =
      capacity_of(first_stages, {PathStage::workers, PathStage::decode, PathStage::process,
                                 PathStage::network, PathStage::pcie, PathStage::memory});
  StorageDemand demand;
  demand.read_first_epoch_Bps = fed * missed;
  demand.read_peak_Bps = std::max(fed, std::isfinite(taken_in) ? taken_in : fed) * missed;
  if (plan.steps > plan.steps_per_epoch)
    demand.read_later_epochs_Bps = fed * missed_of(plan.later_hits);
  demand.checkpoint_write_Bps = checkpoint_write(plan, result);
  return demand;
}

void rates(const Plan& plan, const Outcome& outcome, Result& result) {
  const std::int64_t in_first = std::min(plan.steps, plan.steps_per_epoch);
  const auto samples = [&](std::int64_t steps) {
    return plan.global_batch() * static_cast<double>(steps);
  };
  result.job_samples = std::llround(samples(plan.steps));
  result.job_samples_per_s = samples(plan.steps) / result.time_to_result_s;
  result.first_epoch_samples_per_s = samples(in_first) / result.first_epoch_s;
  if (plan.steps > in_first)
    result.later_epochs_samples_per_s =
        samples(plan.steps - in_first) / (result.training_s - result.first_epoch_s);
  const double first_s = outcome.first ? outcome.first->all_s() : 0;
  result.job_gpu_utilization =
      (first_s * outcome.first_utilization + outcome.epochs.all_s() * outcome.utilization) /
      result.time_to_result_s;
}

/// What the first epoch, by its plan, takes from storage and asks of it.
void of_first_epoch(const Plan& plan, const Plan& first, const Stages& stages, Result& result) {
  result.storage_limit_first_epoch_bytes_per_gpu_second =
      storage_limit(stages) * plan.sample_size.value / static_cast<double>(plan.gpus.size());
  if (plan.kind != kind_of<kind::Loader>)
    result.storage_demand = demand_of(plan, first, stages, result);
}

/// The first epoch takes its own time, later ones that of the throughput; failures make both as
/// much longer as the whole.
double time_of(double samples, const Plan& plan, const Result& result) {
  const double in_first =
      plan.global_batch() * static_cast<double>(std::min(plan.steps, plan.steps_per_epoch));
  const double first = std::min(samples, in_first);
  const double trained = first / result.first_epoch_samples_per_s +
                         (samples - first) / result.throughput_samples_per_s;
  return result.before_training_s() + trained * times_longer_by_failures(result);
}

}  // namespace

double storage_limit(const std::vector<PathStageLimit>& stages) {
  return capacity_of(stages, {PathStage::storage, PathStage::network, PathStage::pcie});
}

void answer_whole_job(const Scenario& scenario, const Plan& plan, const Stages& stages,
                      const Outcome& outcome, Result& result) {
  rates(plan, outcome, result);
  if (const auto tokens = tokens_of_sample(scenario.workload))
    result.job_tokens_per_s = result.job_samples_per_s * *tokens;
  const auto* training = scenario.workload.find<kind::Training>();
  if (training && !training->target.empty())
    result.time_to_target_s =
        time_of(samples_to_target(training->target, plan.global_batch()), plan, result);
  if (!outcome.first) return of_first_epoch(plan, plan, stages, result);
  Plan first = outcome.first_plan ? *outcome.first_plan : plan;
  first.epochs = 1;
  of_first_epoch(plan, first, stage_limits(first, loads_of(first)), result);
}

}  // namespace gpufeed
