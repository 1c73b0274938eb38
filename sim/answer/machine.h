// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/topology/graph.h"

namespace gpufeed {

/// The machine as a drawing.
Topology drawn(const Graph& graph);

/// What the answer leans on and nobody measured: whatever would bind if it were half as fast.
std::vector<std::string> estimates_of(const std::vector<ResourceUse>& resources);

/// What is said where more hangs on one leaf switch than any switch in one box takes; else empty.
std::string leaf_switch_doubt(const Scenario& scenario);

}  // namespace gpufeed
