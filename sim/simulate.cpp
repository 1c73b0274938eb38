// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include "sim/kinds/io/io_job.h"
#include "sim/kinds/io/io_replay.h"
#include "sim/kinds/pipeline/pipeline.h"
#include "sim/kinds/serving/inference.h"
#include "sim/kinds/training/training.h"
#include "sim/kinds/transfers/transfers.h"

namespace gpufeed {

Result simulate(const Scenario& scenario) {
  if (scenario.workload.kind == WorkloadKind::io)
    return scenario.workload.io->requests ? replay_log(scenario) : simulate_io(scenario);
  if (scenario.workload.kind == WorkloadKind::transfers) return simulate_transfers(scenario);
  if (scenario.workload.kind == WorkloadKind::pipeline) return simulate_pipeline(scenario);
  if (scenario.workload.kind == WorkloadKind::inference) return simulate_inference(scenario);
  return simulate_training(scenario);
}

}  // namespace gpufeed
