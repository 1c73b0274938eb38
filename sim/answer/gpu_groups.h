// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/job/activity.h"
#include "sim/model/result/result.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// A GPU's id, of several nodes with its node's: "node3 gpu0". Emulated GPUs and loaders have no
/// part in the machine: "accelerator0", "loader0".
std::string gpu_name(const Scenario& scenario, const Plan& plan, const GpuPlan& gpu);

/// GPUs that stand alike in the machine share a group, with the mean of their times; groups that
/// spend their time alike become one.
/// \param spent  of each GPU of the plan, in proportion
std::vector<GpuGroup> gpu_groups(const Scenario& scenario, const Plan& plan,
                                 const std::vector<TimeSpent>& spent);

}  // namespace gpufeed
