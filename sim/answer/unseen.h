// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/result/result.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Where a job lies outside what the laws that predict it were seen for: in what of it no job of
/// tests/validation is like it. Only what may move the result: gradients that keep GPUs waiting
/// for less than a twentieth of the time, or checkpoints that cost less, do not.
/// \param result  all but its warnings
std::vector<Warning> what_no_job_showed(const Scenario& scenario, const Plan& plan,
                                        const Result& result);

}  // namespace gpufeed
