// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <variant>

#include "sim/kinds/io/io_job.h"
#include "sim/kinds/pipeline/pipeline.h"
#include "sim/kinds/serving/inference.h"
#include "sim/kinds/training/training.h"
#include "sim/kinds/transfers/transfers.h"

namespace gpufeed {
namespace {

/// The table: kind -> run. Emulated GPUs and loaders alone are the training job itself.
Result run(const kind::Training&, const Scenario& scenario) { return simulate_training(scenario); }
Result run(const kind::Emulated&, const Scenario& scenario) { return simulate_training(scenario); }
Result run(const kind::Loader&, const Scenario& scenario) { return simulate_training(scenario); }
Result run(const kind::Io&, const Scenario& scenario) { return simulate_io(scenario); }
Result run(const kind::Transfers&, const Scenario& scenario) {
  return simulate_transfers(scenario);
}
Result run(const kind::Pipeline&, const Scenario& scenario) { return simulate_pipeline(scenario); }
Result run(const kind::Inference&, const Scenario& scenario) {
  return simulate_inference(scenario);
}

}  // namespace

Result simulate(const Scenario& scenario) {
  return std::visit([&](const auto& own) { return run(own, scenario); }, scenario.workload.of_kind);
}

}  // namespace gpufeed
