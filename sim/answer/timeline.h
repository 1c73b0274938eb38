// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/answer/answer.h"

namespace gpufeed {

/// The steps that were recorded, in the order in which the job comes to them: of the first epoch
/// where that one differs, of the others, and around a checkpoint. Empty where none was.
std::vector<TimelineStretch> timeline_of(const Scenario& scenario, const Plan& plan,
                                         const Outcome& outcome);

}  // namespace gpufeed
