// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/answer/answer.h"

namespace gpufeed {

/// What the whole job comes to: its rate and utilization, the rates of its epochs, and what storage
/// must deliver in them.
/// \param stages  of `plan`
/// \param result  has the job's times and checkpoints
void answer_whole_job(const Scenario& scenario, const Plan& plan,
                      const std::vector<PathStageLimit>& stages, const Outcome& outcome,
                      Result& result);

/// Samples/s that storage and the links to it could deliver.
double storage_limit(const std::vector<PathStageLimit>& stages);

}  // namespace gpufeed
