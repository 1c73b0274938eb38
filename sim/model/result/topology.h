// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"
#include "sim/model/fields/part_id.h"

namespace gpufeed {

struct TopologyNode {
  std::string id;
  std::string kind;
  PartKind part{};
  std::int64_t number = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("id", &TopologyNode::id, "part"));
    visit(key("kind", &TopologyNode::kind, "what it is"));
    visit(key("part", &TopologyNode::part, "the part that it is, or lies in"));
    visit(key("number", &TopologyNode::number, "which of these, from 0"));
  }
};
struct TopologyEdge {
  std::string from;
  std::string to;
  std::string resource;
  std::int64_t from_node = 0;
  std::int64_t to_node = 0;
  std::optional<std::int64_t> resource_index = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("from", &TopologyEdge::from, "node"));
    visit(key("to", &TopologyEdge::to, "node"));
    visit(key("resource", &TopologyEdge::resource, "whose capacity it takes"));
    visit(key("from_node", &TopologyEdge::from_node, "position among nodes"));
    visit(key("to_node", &TopologyEdge::to_node, "position among nodes"));
    visit(key("resource_index", &TopologyEdge::resource_index,
              "that of the resource; null: nothing limits it"));
  }
};
struct Topology {
  std::vector<TopologyNode> nodes;
  std::vector<TopologyEdge> edges;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("nodes", &Topology::nodes, "parts"));
    visit(key("edges", &Topology::edges, "ways between them"));
  }
};

}  // namespace gpufeed
