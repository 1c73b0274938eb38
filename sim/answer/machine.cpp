// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/answer/words.h"
#include "sim/base/join_ids.h"
#include "sim/base/labels/label_text.h"
#include "sim/base/units.h"

namespace gpufeed {

ResourceUse use_of(const Label& label, std::string_view kind, Bandwidth capacity, double load,
                   const Provenance& provenance, const std::optional<ResourceKey>& key,
                   std::size_t index) {
  ResourceUse use{text_of(label),
                  std::string(kind),
                  capacity.value,
                  "B/s",
                  load,
                  provenance.source,
                  std::string(name_of(provenance.basis))};
  if (!key) return use;
  use.part = key->part.kind;
  use.number = static_cast<std::int64_t>(key->part.number);
  use.role = key->role;
  use.index = static_cast<std::int64_t>(index);
  return use;
}

Topology drawn(const Graph& graph) {
  Topology topology;
  for (const auto& vertex : graph.vertices)
    topology.nodes.push_back({text_of(vertex.label), std::string(name_of(vertex.kind)),
                              vertex.part.kind, static_cast<std::int64_t>(vertex.part.number)});
  for (const auto& edge : graph.edges) {
    TopologyEdge out{text_of(graph.vertex(edge.from).label), text_of(graph.vertex(edge.to).label),
                     "", static_cast<std::int64_t>(edge.from.position()),
                     static_cast<std::int64_t>(edge.to.position())};
    if (edge.resource) {
      out.resource = text_of(graph.resource(*edge.resource).label);
      out.resource_index = static_cast<std::int64_t>(edge.resource->position());
    }
    topology.edges.push_back(std::move(out));
  }
  return topology;
}

std::vector<std::string> estimates_of(const std::vector<ResourceUse>& resources) {
  constexpr double kCouldBind = 0.5;
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const auto& resource : resources)
    if (resource.basis == name_of(Basis::estimate) && resource.utilization >= kCouldBind)
      by_kind[resource.kind].push_back(resource.id);
  std::vector<std::string> out;
  for (const auto& [kind, ids] : by_kind) {
    const auto all = join_ids(ids);
    const bool many = ids.size() > 2 && all.find(',') != std::string::npos;
    out.push_back(fmt::format(
        "{} {}", kind, many ? fmt::format("{} and {} like it", ids.front(), ids.size() - 1) : all));
  }
  return out;
}

}  // namespace gpufeed
