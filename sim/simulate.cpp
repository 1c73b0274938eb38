// SPDX-License-Identifier: Apache-2.0
#include "sim/simulate.h"

#include <algorithm>
#include <set>
#include <variant>

#include "sim/answer/cost.h"
#include "sim/deciding.h"

// The table: each of these has the `simulate_kind` of its kind.
#include "sim/kinds/checkpointing/checkpointing.h"
#include "sim/kinds/collective/collective.h"
#include "sim/kinds/io/io_job.h"
#include "sim/kinds/matmul/matmul.h"
#include "sim/kinds/pipeline/pipeline.h"
#include "sim/kinds/serving/inference.h"
#include "sim/kinds/training/training.h"
#include "sim/kinds/transfers/transfers.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/intervals.h"
#include "sim/range/widening.h"
#include "sim/topology/leaf_switch.h"

namespace gpufeed {

namespace {

Result simulate_itself(const Scenario& scenario) {
  return std::visit([&](const auto& keys) { return simulate_kind(keys, scenario); },
                    scenario.workload.of_kind);
}

constexpr Simulators kSimulators{simulate_itself, simulate_few_nodes};

/// What warns that nothing like it was measured widens: each step once, as ledgers count it.
void add_steps_of_warnings(Result& result) {
  std::set<Step> steps;
  for (const Warning& warning : result.warnings)
    if (const auto step = step_of(warning.code)) steps.insert(*step);
  result.steps.insert(result.steps.end(), steps.begin(), steps.end());
  std::ranges::sort(result.steps);
}

}  // namespace

Result simulate(const Scenario& scenario) {
  const TrafficOnce once(scenario);
  Result result = simulate_itself(scenario);
  std::vector<Warning> doubts;
  for (const auto& doubt : scenario.system->doubts)
    doubts.push_back(fact<WarningCode::system_doubt>(doubt));
  result.warnings.insert(result.warnings.begin(), doubts.begin(), doubts.end());
  if (const auto doubt = leaf_switch_doubt(scenario)) result.warnings.push_back(*doubt);
  answer_cost(scenario, result);
  add_steps_of_warnings(result);
  if (scenario.run.deciding)
    result.deciding_defaults = deciding_defaults(scenario, result, kSimulators);
  add_intervals(scenario, result);
  return result;
}

std::vector<DecidingDefault> effects_of_defaults(const Scenario& scenario) {
  return effects_of_defaults(scenario, kSimulators);
}

}  // namespace gpufeed
