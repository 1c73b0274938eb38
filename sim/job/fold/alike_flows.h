// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

/// Few flows that stand for many.
struct FewFlows {
  Plan plan;  ///< its resources and routes alone
  std::vector<Flow> flows;
};

/// Of flows that start together, of alike ones one, which weighs as much as they do: those of one
/// size over resources of which each has the same flows to bear as its like (the coarsest equitable
/// partition of flows and resources, by refinement). Fair shares are equal within a kind, so the
/// few end as all do; where no two are alike, they are all.
FewFlows alike_flows(const Plan& plan, const std::vector<Flow>& flows);

/// What `time_together` tells of all, in a time that grows with the kinds of flows.
Seconds time_of_alike(const Plan& plan, const std::vector<Flow>& flows);

}  // namespace gpufeed
