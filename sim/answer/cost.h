// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// The bill of a configuration and what it sums to: price and power of the parts that have one (of
/// machines that are rented, only stores beside them are bought), the
/// years of the prices, and the parts that lack them, in words.
void answer_cost(const Scenario& scenario, Result& result);

/// What the job costs, by the bill, power, times and throughput that `result` has.
/// \return nothing where neither price, power nor rent is known, or the workload trains nothing
std::optional<RunningCost> running_cost(const Scenario& scenario, const Result& result);

}  // namespace gpufeed
