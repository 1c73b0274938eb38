// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/answer/answer.h"

namespace gpufeed {

/// Adds what checkpoints cost to the times of the epochs, and says what they take. Nothing where
/// the plan has none.
void answer_checkpoints(const Plan& plan, const Outcome& outcome, Result& result);

/// Samples per second in the long run, checkpoints included.
Rate rate_with_checkpoints(const Plan& plan, const Outcome& outcome);

/// Bytes per second over each resource of the graph that checkpoints move, in the long run.
ByResource<double> checkpoint_load(const Plan& plan, const Outcome& outcome);

}  // namespace gpufeed
