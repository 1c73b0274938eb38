// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/answer/answer.h"

namespace gpufeed {

/// Says what checkpoints take. Nothing where the plan has none.
void answer_checkpoints(const Plan& plan, const Outcome& outcome, Result& result);

/// Bytes per second over each resource of the graph that checkpoints move, mean over the epochs.
ByResource<double> checkpoint_load(const Plan& plan, const Outcome& outcome);

}  // namespace gpufeed
