// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/topology/graph.h"

namespace gpufeed {

/// One resource in use; `key` and its `index` in the graph are none of cores.
ResourceUse use_of(const Label& label, std::string_view kind, Bandwidth capacity, double load,
                   const Provenance& provenance, const std::optional<ResourceKey>& key,
                   std::size_t index);

/// The machine as a drawing.
Topology drawn(const Graph& graph);

/// What the answer leans on and nobody measured: whatever would bind if it were half as fast.
std::vector<std::string> estimates_of(const std::vector<ResourceUse>& resources);

}  // namespace gpufeed
