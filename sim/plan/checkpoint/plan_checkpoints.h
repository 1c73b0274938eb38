// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"
#include "sim/model/checkpoint.h"
#include "sim/plan/nodes.h"
#include "sim/plan/plan.h"

namespace gpufeed {

struct Scenario;

/// Adds to `plan`, whose GPUs it needs, the routes of its checkpoints. A volume's drives take equal
/// parts and what its layout adds to them; of single drives with whole files, each writer takes
/// one. \param missing  is told of ways that the machine lacks
CheckpointPlan plan_checkpoints(const Scenario& scenario, const Nodes& nodes, Plan& plan,
                                Diagnostics& missing);

/// Reading one checkpoint back by those who wrote it, and copying it to their GPUs, with nothing
/// else under way.
Seconds restart_time(const Scenario& scenario, const Plan& plan);

}  // namespace gpufeed
