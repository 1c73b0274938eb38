// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/passes.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace gpufeed {

void pass_memory(const Graph& graph, Route& route, const std::string& socket, int times) {
  const auto memory = std::ranges::find(graph.resources, socket + " memory", &Resource::id);
  GPUFEED_ASSERT(memory != graph.resources.end(), "every socket has a memory");
  route.resources.insert(route.resources.end(), static_cast<std::size_t>(times),
                         static_cast<int>(memory - graph.resources.begin()));
}

}  // namespace gpufeed
