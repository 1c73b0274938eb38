// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/graph.h"

#include "sim/base/assert.h"

namespace gpufeed {

std::optional<VertexIndex> Graph::find(PartId part, VertexKind kind) const {
  for (const VertexIndex vertex : vertices.indices())
    if (vertices[vertex].part == part && vertices[vertex].kind == kind) return vertex;
  return {};
}

namespace {

VertexKind vertex_kind(PartKind kind) {
  switch (kind) {
    case PartKind::socket:
      return VertexKind::socket;
    case PartKind::pcie_switch:
      return VertexKind::pcie_switch;
    case PartKind::gpu:
      return VertexKind::gpu;
    case PartKind::nic:
      return VertexKind::nic;
    case PartKind::drive:
      return VertexKind::drive;
    case PartKind::nvswitch:
      return VertexKind::nvswitch;
    case PartKind::store:
      return VertexKind::store;
    case PartKind::fabric:
      return VertexKind::network;
    case PartKind::volume:
      break;
  }
  GPUFEED_ASSERT(false, "a volume is its drives");
  return VertexKind::drive;
}

VertexIndex there(const std::optional<VertexIndex>& vertex) {
  GPUFEED_ASSERT(vertex, "the part is in the graph");
  return *vertex;
}

ResourceIndex there(const std::optional<ResourceIndex>& resource) {
  GPUFEED_ASSERT(resource, "the part has this resource");
  return *resource;
}

}  // namespace

VertexIndex Graph::at(PartId part) const { return there(find(part, vertex_kind(part.kind))); }

VertexIndex Graph::memory_of(PartId socket) const {
  return there(find(socket, VertexKind::memory));
}

VertexIndex Graph::media_of(PartId source) const { return there(find(source, VertexKind::media)); }

std::vector<Label> Graph::labels_of(const std::vector<PartId>& parts) const {
  std::vector<Label> labels;
  labels.reserve(parts.size());
  for (const PartId part : parts) labels.push_back(vertex(at(part)).label);
  return labels;
}

std::optional<ResourceIndex> Graph::find_resource(const ResourceKey& key) const {
  for (const ResourceIndex resource : resources.indices())
    if (resources[resource].key == key) return resource;
  return {};
}

ResourceIndex Graph::memory_resource(PartId socket) const {
  return there(find_resource({socket, Role::memory}));
}

ResourceIndex Graph::read_resource(PartId source) const {
  return there(find_resource({source, Role::read}));
}

ResourceIndex Graph::write_resource(PartId source) const {
  return there(find_resource({source, Role::write}));
}

}  // namespace gpufeed
