// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Says what failures make of the job, and of its time to the result. Nothing where the scenario
/// has none. \param result  has the job's times, checkpoints and GPUs \source
/// sim/model/failures/goodput.h. A checkpoint that is written while training goes on holds
///          nothing until it is written: a failure loses as much more on the mean.
void answer_failures(const Scenario& scenario, const Plan& plan, Result& result);

/// How many times as long training takes on the mean as without failures; 1 where there are none.
double times_longer_by_failures(const Result& result);

}  // namespace gpufeed
