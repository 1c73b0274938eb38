// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "sim/base/labels/label_text.h"
#include "sim/topology/graph.h"

/// What a graph calls by names, for tests that read better with them.
namespace gpufeed::systems {

inline std::optional<VertexIndex> find_vertex(const Graph& graph, std::string_view label) {
  for (const VertexIndex vertex : graph.vertices.indices())
    if (text_of(graph.vertex(vertex).label) == label) return vertex;
  return {};
}
inline VertexIndex vertex(const Graph& graph, std::string_view label) {
  const auto found = find_vertex(graph, label);
  REQUIRE_MESSAGE(found, std::string(label));
  return *found;
}
inline PartId part(const Graph& graph, std::string_view label) {
  return graph.vertex(vertex(graph, label)).part;
}

inline std::optional<ResourceIndex> find_resource(const Graph& graph, std::string_view label) {
  for (const ResourceIndex resource : graph.resources.indices())
    if (text_of(graph.resource(resource).label) == label) return resource;
  return {};
}
inline const Resource& resource(const Graph& graph, std::string_view label) {
  const auto found = find_resource(graph, label);
  REQUIRE_MESSAGE(found, std::string(label));
  return graph.resource(*found);
}

}  // namespace gpufeed::systems
