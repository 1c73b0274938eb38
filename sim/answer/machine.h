// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/topology/graph.h"

namespace gpufeed {

/// The machine as a drawing.
Topology drawn(const Graph& graph);

/// What the answer leans on and nobody measured: whatever would bind if it were half as fast.
std::vector<std::string> estimates_of(const std::vector<ResourceUse>& resources);

}  // namespace gpufeed
