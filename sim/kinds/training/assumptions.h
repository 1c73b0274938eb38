// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

struct Scenario;

/// What is taken because the scenario does not say it, each with what saying it would change; empty
/// where nothing is, or it changes hardly anything. Several GPUs without a framework: gradients
/// leave when all have computed, and steps do not vary.
/// \param plan  of the scenario
std::vector<Assumption> assumptions_of(const Scenario& scenario, const Plan& plan);

}  // namespace gpufeed
