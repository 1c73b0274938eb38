// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/writers/layout.h"
#include "sim/base/printable.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class Drawer {
 public:
  explicit Drawer(const Result& result) : result_(result) {
    for (const auto& use : result.resources) {
      uses_[use.id] = &use;
      if (use.unit == "B/s") most_ = std::max(most_, use.utilization * use.capacity);
    }
  }

  std::string draw() const {
    std::string out = fmt::format(
        "digraph {} {{\n  label={}; labelloc=t; fontname=\"sans-serif\";\n"
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n",
        quoted(result_.title), quoted(result_.title));
    for (const auto& node : result_.topology.nodes)
      out += fmt::format("  {} [label={}];\n", quoted(node.id),
                         quoted(node.kind == node.id ? node.id : node.id + " (" + node.kind + ")"));
    std::set<std::pair<std::string, std::string>> idle;
    for (const auto& edge : result_.topology.edges) out += edge_line(edge, idle);
    return out + "}\n";
  }

 private:
  /// Of what nothing uses in either direction, one line stands for both.
  std::string edge_line(const TopologyEdge& edge,
                        std::set<std::pair<std::string, std::string>>& idle) const {
    const std::string ends = quoted(edge.from) + " -> " + quoted(edge.to);
    if (const ResourceUse* use = use_of(edge)) {
      const double rate = use->utilization * use->capacity;
      return fmt::format("  {} [label={}, tooltip={}, penwidth={:.1f}, color=\"{}\"];\n", ends,
                         quoted(percent(use->utilization)),
                         quoted(fmt::format("{}: {} of {} ({})", use->id, text(Bandwidth{rate}, 3),
                                            text(Bandwidth{use->capacity}, 3), use->basis)),
                         1 + 5 * rate / most_, color(use->utilization));
    }
    if (is_used(edge.to, edge.from)) return "";
    if (!idle.insert(std::minmax(edge.from, edge.to)).second) return "";
    return fmt::format("  {} [dir=none, color=\"#999999\"];\n", ends);
  }

  const ResourceUse* use_of(const TopologyEdge& edge) const {
    const auto found = uses_.find(edge.resource);
    return found == uses_.end() || found->second->unit != "B/s" ? nullptr : found->second;
  }
  bool is_used(const std::string& from, const std::string& to) const {
    return std::ranges::any_of(result_.topology.edges, [&](const TopologyEdge& edge) {
      return edge.from == from && edge.to == to && use_of(edge);
    });
  }

  /// Okabe and Ito's colors, told apart by those who see few.
  static const char* color(double load) {
    constexpr double kHigh = 0.5;
    constexpr double kFull = 0.85;
    return load >= kFull ? "#d55e00" : load >= kHigh ? "#e69f00" : "#0072b2";
  }

  const Result& result_;
  std::map<std::string, const ResourceUse*> uses_;
  double most_ = 1;
};

}  // namespace

std::string to_dot(const std::vector<Result>& results) {
  std::string out;
  for (const Result& result : results) out += Drawer(result).draw();
  return out;
}

}  // namespace gpufeed
