// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// What is known of a scenario's result before it is simulated. Exact: bill, price, power, and what
/// they cost an hour. No simulation does better than: rates, utilization, step, epoch and time
/// to the result, and the costs that follow from them; they are infinite, 1 or 0 where nothing is
/// known. What sets the bound. All else is left empty.
///   throughput, and the job's rate <= throughput_bound of the plan
///   utilization <= time of computing x throughput bound / batch
///   time to result >= samples / throughput bound
Result optimistic_result(const Scenario& scenario);

/// Bill, price and power alone.
Result bill_only(const Scenario& scenario);

}  // namespace gpufeed
