// SPDX-License-Identifier: Apache-2.0
#include "sim/training/simulate.h"

#include <algorithm>

#include "sim/training/answer.h"
#include "sim/training/inference.h"
#include "sim/training/io_job.h"
#include "sim/training/io_replay.h"
#include "sim/training/pipeline.h"
#include "sim/training/staging.h"
#include "sim/training/transfers.h"

namespace gpufeed {
namespace {

/// Samples per second, the fill of the pipeline left out.
Rate steady_throughput(const Plan& plan, const Record& record) {
  return {plan.global_batch() / record.step_time.mean};
}

Record run_job(const Scenario& scenario, const Plan& plan, const Epochs& epochs) {
  const auto engine = make_simgrid_engine();
  Random random(static_cast<std::uint64_t>(scenario.run.seed));
  const StopRule stop{scenario.run.extrapolate, scenario.run.precision,
                      scenario.run.max_steps.value_or(0)};
  return TrainingJob(plan, *engine, random, stop, epochs).run();
}

}  // namespace

Result simulate(const Scenario& scenario) {
  if (scenario.workload.kind == WorkloadKind::io)
    return scenario.workload.io->requests ? replay_log(scenario) : simulate_io(scenario);
  if (scenario.workload.kind == WorkloadKind::transfers) return simulate_transfers(scenario);
  if (scenario.workload.kind == WorkloadKind::pipeline) return simulate_pipeline(scenario);
  if (scenario.workload.kind == WorkloadKind::inference) return simulate_inference(scenario);
  const Plan plan = make_plan(scenario);
  Outcome outcome;
  outcome.staging = staging_time(scenario);
  const std::int64_t first = std::min(plan.steps_per_epoch, plan.steps);
  if (plan.hit_rate > 0) {
    outcome.first_epoch = run_job(scenario, plan, {first, 0});
    outcome.record = run_job(scenario, plan, {plan.steps - first, plan.hit_rate});
  } else {
    outcome.record = run_job(scenario, plan, {plan.steps, 0});
  }
  outcome.throughput = steady_throughput(plan, outcome.record);
  double total = 0;
  for (const auto& gpu : outcome.record.spent)
    for (std::size_t a = 0; a < kActivities; ++a) {
      outcome.share[a] += gpu[a];
      total += gpu[a];
    }
  for (double& share : outcome.share) share /= total;
  outcome.utilization = outcome.share[static_cast<std::size_t>(Activity::compute)];
  return make_result(scenario, plan, outcome);
}

}  // namespace gpufeed
