// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// Which resources of a plan are memories so little used that nothing ever waits for them, even at
/// the rate that nothing exceeds (stages.h): below half load, not full while gradients travel, and
/// never what holds a read or copy back that is alone. None where a checkpoint may fill one.
ByResource<bool> uncontended_memories(const Plan& plan);

}  // namespace gpufeed
