// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/answer/words.h"
#include "sim/base/join_ids.h"
#include "sim/base/units.h"

namespace gpufeed {

Topology drawn(const Graph& graph) {
  Topology topology;
  for (const auto& vertex : graph.vertices)
    topology.nodes.push_back({vertex.id, std::string(name_of(vertex.kind))});
  for (const auto& edge : graph.edges)
    topology.edges.push_back({graph.vertex(edge.from).id, graph.vertex(edge.to).id,
                              edge.resource ? graph.resource(*edge.resource).id : ""});
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
