// SPDX-License-Identifier: Apache-2.0
#include "reports/picture/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "sim/base/join_ids.h"
#include "sim/base/labels/label_text.h"

namespace gpufeed {
namespace {

// In units of the picture.
constexpr float kWidth = 132;
constexpr float kHeight = 46;
constexpr float kGap = 14;
constexpr float kGroupGap = 30;  ///< between what hangs on two sockets
constexpr float kRow = 104;
constexpr float kSocketWidth = 320;
constexpr float kTrunk = 20;         ///< left of a column, for its links
constexpr std::size_t kTallest = 4;  ///< drives and cards in a column without GPUs

/// A part of the machine with what hangs on it.
struct Node {
  std::vector<std::string> ids;
  std::vector<PartId> parts;
  PartKind kind;
  std::string title;
  std::vector<Node> below;
};

class Drawer {
 public:
  Drawer(const Result& result, const System& machine) : result_(result), machine_(machine) {
    for (const auto& use : result.resources)
      if (use.index) uses_.emplace(*use.index, &use);
  }

  Picture draw() {
    place_machine();
    place_nvswitches();
    place_networks();
    add_wires();
    add_loads();
    return std::move(picture_);
  }

 private:
  template <class P>
  void hang(std::vector<Node>& below, const std::vector<P>& parts, PartId parent, PartKind kind,
            bool together) {
    const std::size_t first = below.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& part = parts[i];
      if (part.at.part != parent || !part.model) continue;
      const auto like = std::find_if(
          below.begin() + static_cast<std::ptrdiff_t>(first), below.end(),
          [&](const Node& node) { return together && node.title == part.model->title; });
      if (like == below.end()) {
        below.push_back({{text_of(part.id)}, {{kind, i}}, kind, part.model->title, {}});
        continue;
      }
      like->ids.push_back(text_of(part.id));
      like->parts.emplace_back(kind, i);
    }
  }

  std::vector<Node> below(PartId parent) {
    std::vector<Node> nodes;
    hang(nodes, machine_.drives, parent, PartKind::drive, true);
    hang(nodes, machine_.nics, parent, PartKind::nic, true);
    for (std::size_t i = 0; i < machine_.switches.size(); ++i) {
      const auto& one = machine_.switches[i];
      const PartId part{PartKind::pcie_switch, i};
      if (one.at.part == parent && one.model)
        nodes.push_back({{text_of(one.id)}, {part}, part.kind, one.model->title, below(part)});
    }
    hang(nodes, machine_.gpus, parent, PartKind::gpu, false);
    return nodes;
  }

  /// What hangs on a part, in columns: GPUs side by side, each below its share of the rest.
  static std::vector<std::vector<const Node*>> columns_of(const Node& node) {
    std::size_t gpus = 0, others = 0;
    for (const Node& one : node.below) {
      gpus += one.kind == PartKind::gpu ? 1U : 0U;
      others += one.kind == PartKind::gpu || one.kind == PartKind::pcie_switch ? 0U : 1U;
    }
    const std::size_t needed = (others + kTallest - 1) / kTallest;
    std::vector<std::vector<const Node*>> columns(gpus > 0 ? gpus : needed);
    for (const bool gpu : {false, true}) {
      std::size_t next = 0;
      for (const Node& one : node.below)
        if (one.kind != PartKind::pcie_switch && (one.kind == PartKind::gpu) == gpu)
          columns[next++ % columns.size()].push_back(&one);
    }
    return columns;
  }
  static float width_of(const Node& node) {
    float width = static_cast<float>(columns_of(node).size()) * (kTrunk + kWidth + kGap) - kGap;
    width = std::max(width, -kGap);
    for (const Node& one : node.below)
      if (one.kind == PartKind::pcie_switch) width += width_of(one) + kGap;
    return std::max(width, node.kind == PartKind::socket ? kSocketWidth / 2 : kWidth);
  }
  /// Rows of drives and cards above the GPUs.
  static std::size_t rows_above_gpus(const Node& node) {
    std::size_t most = 0;
    for (const auto& column : columns_of(node))
      if (column.back()->kind == PartKind::gpu) most = std::max(most, column.size() - 1);
    for (const Node& one : node.below) most = std::max(most, rows_above_gpus(one));
    return most;
  }
  static int switches_in(const Node& node) {
    int deepest = 0;
    for (const Node& one : node.below) deepest = std::max(deepest, switches_in(one));
    return deepest + (node.kind == PartKind::pcie_switch ? 1 : 0);
  }

  std::size_t add_box(const Node& node, float center, float y, float width) {
    Box box{node.ids,
            node.kind == PartKind::fabric ? "network" : std::string(name_of(node.kind)),
            join_ids(node.ids),
            node.title,
            center - width / 2,
            y,
            width,
            kHeight,
            {},
            "",
            node.parts};
    for (const PartId part : node.parts) box_of_[part] = picture_.boxes.size();
    picture_.boxes.push_back(std::move(box));
    return picture_.boxes.size() - 1;
  }

  /// Places the node and all below it from `x` on. \return the room it took
  float place(const Node& node, float x, int row) {
    const float width = width_of(node);
    const float own = node.kind == PartKind::socket ? std::min(width, kSocketWidth) : kWidth;
    add_box(node, x + width / 2, kRow * static_cast<float>(row), own);
    const auto columns = columns_of(node);
    float room = static_cast<float>(columns.size()) * (kTrunk + kWidth + kGap);
    for (const Node& one : node.below)
      if (one.kind == PartKind::pcie_switch) room += width_of(one) + kGap;
    float at = x + (width - (room - kGap)) / 2;
    for (const auto& column : columns) {
      place_column(column, at + kTrunk + kWidth / 2);
      at += kTrunk + kWidth + kGap;
    }
    for (const Node& one : node.below)
      if (one.kind == PartKind::pcie_switch) at += place(one, at, row + 1) + kGap;
    return width;
  }

  void place_column(const std::vector<const Node*>& column, float center) {
    float y = devices_;
    for (const Node* one : column) {
      const float at = one->kind == PartKind::gpu ? gpus_ : y;
      leaves_.insert(add_box(*one, center, at, kWidth));
      bottom_ = std::max(bottom_, at + kHeight);
      y += kHeight + kGap;
    }
  }

  void place_machine() {
    std::vector<Node> sockets;
    int deepest = 0;
    for (std::size_t i = 0; i < machine_.sockets.size(); ++i) {
      const Socket& socket = machine_.sockets[i];
      if (!socket.model) continue;
      const PartId part{PartKind::socket, i};
      sockets.push_back(
          {{text_of(socket.id)}, {part}, part.kind, socket.model->title, below(part)});
      deepest = std::max(deepest, switches_in(sockets.back()));
    }
    std::size_t above = 0;
    for (const Node& socket : sockets) above = std::max(above, rows_above_gpus(socket));
    devices_ = kRow * static_cast<float>(deepest + 1);
    gpus_ = devices_ + static_cast<float>(above) * (kHeight + kGap);
    float x = 0;
    for (const Node& socket : sockets) x += place(socket, x, 0) + kGroupGap;
    picture_.width = std::max(0.0F, x - kGroupGap);
    picture_.height = bottom_;
  }

  void place_nvswitches() {
    const auto& nodes = result_.topology.nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const TopologyNode& node = nodes[n];
      if (node.part != PartKind::nvswitch) continue;
      float left = picture_.width, right = 0;
      for (const auto& edge : result_.topology.edges)
        if (const auto gpu = box_of(edge.from_node);
            edge.to_node == static_cast<std::int64_t>(n) && gpu) {
          const Box& box = picture_.boxes[*gpu];
          left = std::min(left, box.x);
          right = std::max(right, box.x + box.w);
        }
      if (right <= left) continue;
      add_box({{node.id}, {part_of(node)}, node.part, "NVSwitch", {}}, (left + right) / 2,
              bottom_ + kRow / 2, right - left);
      picture_.boxes.back().h = 26;
      picture_.height = bottom_ + kRow / 2 + 26;
    }
    if (!machine_.nvlinks.empty()) picture_.height = bottom_ + kRow / 2;
  }

  void place_networks() {
    std::vector<Node> nodes;
    for (const auto& node : result_.topology.nodes)
      if (node.part == PartKind::store && node.kind == name_of(PartKind::store))
        nodes.push_back({{node.id}, {part_of(node)}, node.part, "shared store", {}});
      else if (node.part == PartKind::fabric)
        nodes.push_back({{node.id}, {part_of(node)}, node.part, "to the other nodes", {}});
    if (nodes.empty()) return;
    const float y = picture_.height + kRow - kHeight;
    const float width = 1.6F * kWidth;
    const auto count = static_cast<float>(nodes.size());
    picture_.width = std::max(picture_.width, count * (width + kGap));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      add_box(nodes[i], picture_.width * (static_cast<float>(i) + 0.5F) / count, y, width);
    picture_.height = y + kHeight;
  }

  static PartId part_of(const TopologyNode& node) {
    return {node.part, static_cast<std::size_t>(node.number)};
  }

  /// The box of a vertex: what lies inside a part has none of its own.
  std::optional<std::size_t> box_of(std::int64_t node) const {
    const auto found =
        box_of_.find(part_of(result_.topology.nodes.at(static_cast<std::size_t>(node))));
    if (found == box_of_.end()) return {};
    return found->second;
  }

  const ResourceUse* use_of(const TopologyEdge& edge) const {
    const auto found = edge.resource_index ? uses_.find(*edge.resource_index) : uses_.end();
    return found == uses_.end() ? nullptr : found->second;
  }

  void add_wires() {
    std::map<std::pair<std::size_t, std::size_t>, double> rates;  // from, to: in this direction
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> wires;
    std::set<const ResourceUse*> counted;
    for (const auto& edge : result_.topology.edges) {
      const auto from = box_of(edge.from_node);
      const auto to = box_of(edge.to_node);
      if (!from || !to || *from == *to) continue;
      const auto [known, fresh] = wires.try_emplace(std::minmax(*from, *to), picture_.wires.size());
      if (fresh)
        picture_.wires.push_back({*from, *to, kind_of(*from, *to), edge.resource, 0, 0, 0,
                                  leaves_.contains(*from) || leaves_.contains(*to), "", ""});
      Wire& wire = picture_.wires[known->second];
      const ResourceUse* const use = use_of(edge);
      if (!use) continue;
      if (counted.insert(use).second) rates[{*from, *to}] += use->utilization * use->capacity;
      wire.rate_Bps = std::max(rates[std::minmax(*from, *to)],
                               rates[{std::max(*from, *to), std::min(*from, *to)}]);
      if (wire.capacity_Bps > 0 && use->utilization <= wire.load) continue;
      wire.load = use->utilization;
      wire.capacity_Bps = use->capacity;
      wire.resource = use->id;
      wire.source = use->source;
      wire.basis = use->basis;
    }
    for (const Wire& wire : picture_.wires)
      picture_.most_Bps = std::max(picture_.most_Bps, wire.rate_Bps);
  }

  std::string kind_of(std::size_t a, std::size_t b) const {
    const PartKind one = picture_.boxes[a].parts.front().kind;
    const PartKind other = picture_.boxes[b].parts.front().kind;
    const auto either = [&](PartKind kind) { return one == kind || other == kind; };
    const auto both = [&](PartKind kind) { return one == kind && other == kind; };
    if (either(PartKind::store) || either(PartKind::fabric)) return "network";
    if (either(PartKind::nvswitch) || both(PartKind::gpu)) return "nvlink";
    return both(PartKind::socket) ? "socket link" : "bus";
  }

  void note_load(Box& box, double load, const std::string& of) {
    if (box.load && *box.load >= load) return;
    box.load = load;
    box.load_of = of;
  }

  void add_loads() {
    for (const auto& edge : result_.topology.edges) {
      const auto from = box_of(edge.from_node);
      const ResourceUse* const use = use_of(edge);
      if (from && use && from == box_of(edge.to_node))
        note_load(picture_.boxes[*from], use->utilization, use->id);
    }
    for (Box& box : picture_.boxes) {
      const PartId part = box.parts.front();
      if (part.kind == PartKind::socket)
        for (const auto& use : result_.resources)
          if (use.kind == "cpu") note_load(box, use.utilization, use.id);
      if (part.kind != PartKind::gpu) continue;
      const double share = computing(part.number);
      if (std::isfinite(share)) note_load(box, share, "computing");  // else none computes
    }
  }

  /// Not a number where it takes no part.
  double computing(std::int64_t gpu) const {
    bool told = false;
    for (const auto& group : result_.gpus) {
      if (std::ranges::count(group.numbers, gpu)) return group.share.compute;
      told = told || !group.numbers.empty();
    }
    return told ? std::numeric_limits<double>::quiet_NaN() : result_.accelerator_utilization;
  }

  const Result& result_;
  const System& machine_;
  std::map<std::int64_t, const ResourceUse*> uses_;  ///< by index
  std::map<PartId, std::size_t> box_of_;
  Picture picture_;
  std::set<std::size_t> leaves_;  ///< boxes in columns
  float devices_ = 0;             ///< where columns begin
  float gpus_ = 0;
  float bottom_ = kHeight;  ///< of what hangs lowest
};

}  // namespace

Picture picture_of(const Result& result, const System& machine) {
  return Drawer(result, machine).draw();
}

}  // namespace gpufeed
