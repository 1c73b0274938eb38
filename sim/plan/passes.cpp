// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/passes.h"

namespace gpufeed {

void pass_memory(const Graph& graph, Route& route, PartId socket, int times) {
  route.resources.insert(route.resources.end(), static_cast<std::size_t>(times),
                         graph.memory_resource(socket));
}

}  // namespace gpufeed
