// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What the job costs, by the bill, power, times and throughput that `result` has.
/// \return nothing where neither price, power nor rent is known, or the workload trains nothing
std::optional<RunningCost> running_cost(const Scenario& scenario, const Result& result);

}  // namespace gpufeed
