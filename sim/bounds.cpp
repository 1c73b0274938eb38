// SPDX-License-Identifier: Apache-2.0
#include "sim/bounds.h"

#include <algorithm>
#include <limits>

#include "sim/answer/cost.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

/// By chance GPUs may compute a little longer than the mean in the steps that are simulated.
constexpr double kChance = 1.01;

/// An only epoch that copies the data in has a plan of its own.
bool has_this_plan(const Scenario& scenario) {
  const auto& staging = scenario.data.staging;
  return scenario.workload.is<RunsEpochs>() &&
         !(staging && staging->mode == StagingMode::first_epoch);
}

double computing_rate(const Plan& plan) {
  if (plan.nominal_compute.value > 0) return plan.global_batch() / plan.nominal_compute.value;
  for (const auto& stage : stage_limits(plan, loads_of(plan)))
    if (stage.kind == PathStage::compute) return stage.capacity.value;
  return 0;
}

}  // namespace

Result optimistic_result(const Scenario& scenario) {
  Result result;
  result.throughput_samples_per_s = std::numeric_limits<double>::infinity();
  result.job_samples_per_s = std::numeric_limits<double>::infinity();
  result.accelerator_utilization = result.job_gpu_utilization = 1;
  if (has_this_plan(scenario)) {
    const Plan plan = make_plan(scenario);
    const Bound bound = throughput_bound(plan);
    const double rate = bound.rate.value;
    const double batch = plan.global_batch();
    result.throughput_samples_per_s = rate;
    result.bound = {rate, bound.cut};
    if (const double computing = computing_rate(plan); computing > 0)
      result.accelerator_utilization = result.job_gpu_utilization =
          std::min(1.0, kChance * rate / computing);
    result.step_s = batch / rate;
    result.epoch_s = result.step_s * static_cast<double>(plan.steps_per_epoch);
    result.training_s = result.step_s * static_cast<double>(plan.steps) / kChance;
    result.time_to_result_s = result.training_s;
    result.job_samples_per_s = batch * static_cast<double>(plan.steps) / result.time_to_result_s;
  }
  answer_cost(scenario, result);
  return result;
}

Result bill_only(const Scenario& scenario) {
  Result result;
  answer_cost(scenario, result);
  return result;
}

}  // namespace gpufeed
