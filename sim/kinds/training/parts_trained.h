// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/job/activity.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Sets the part of all batches that each GPU trained: its time of computing over what a batch
/// takes it. A plan knows the parts of GPUs that do not wait for one another as if none waited for
/// data or links, and those that do train fewer.
/// \param spent  of each GPU
void set_parts_trained(Plan& plan, const std::vector<TimeSpent>& spent);

/// What nothing exceeds that trains these parts: `bound`, and every stage of the path where GPUs do
/// not wait for one another. \param spent  of each GPU
Rate bound_of_parts(const Plan& plan, const std::vector<TimeSpent>& spent, Rate bound);

}  // namespace gpufeed
