// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/result/result.h"
#include "sim/plan/plan.h"

namespace gpufeed {

struct Store;

/// In what a job is like none that was measured.
struct Unseen {
  std::vector<Warning>
      warnings;  ///< of what may mislead; step_of tells their steps (sim/range/widening.h)
  Steps steps;   ///< of which nothing warns
};

/// Where a job lies outside what the laws that predict it were seen for: in what of it no job of
/// tests/validation is like it. Only what may move the result: gradients that keep GPUs waiting
/// for less than a twentieth of the time, or checkpoints that cost less, do not.
/// \param result  all but its warnings
Unseen what_no_job_showed(const Scenario& scenario, const Plan& plan, const Result& result);

/// Of a store whose rate is the result: whether it follows from drives and ports alone, and whether
/// no measured job read over its family of protocols.
Steps steps_of_store(const Store& store);

}  // namespace gpufeed
