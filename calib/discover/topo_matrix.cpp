// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/topo_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "calib/discover/topo_table.h"

namespace gpufeed {
namespace {

using Group = std::vector<std::size_t>;  ///< of each row, a number

void join(Group& group, std::size_t a, std::size_t b) {
  if (group[a] != group[b])
    std::ranges::replace(group, std::max(group[a], group[b]), std::min(group[a], group[b]));
}

/// Those that are no further from one another than `most`.
Group groups(const std::vector<TopoRow>& rows, Between most) {
  Group group(rows.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < rows.size(); ++b)
      if (rows[a].to[b].what <= most && rows[a].to[b].nvlinks == 0) join(group, a, b);
  return group;
}

/// What hangs on one NUMA node: near one another, or near the same threads.
Group nodes_of(const std::vector<TopoRow>& rows) {
  Group group = groups(rows, Between::node);
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool same_threads = !rows[a].cpus.empty() && rows[a].cpus == rows[b].cpus;
      const bool same_nodes = !rows[a].nodes.empty() && rows[a].nodes == rows[b].nodes;
      if (same_threads || same_nodes) join(group, a, b);
    }
  return group;
}

class MatrixMachine {
 public:
  explicit MatrixMachine(TopoTable table) : table_(std::move(table)), rows_(table_.rows) {}

  FoundMachine make() {
    place_nodes();
    add_devices();
    add_nvlinks();
    if (!table_.repaired.empty())
      machine_.questions.push_back(
          fmt::format("is the matrix whole? {}: what is missing was taken from the other direction",
                      fmt::join(table_.repaired, "; ")));
    if (table_.second_line > 0)
      machine_.left_out.push_back(fmt::format(
          "a second matrix from line {} on: one machine at a time", table_.second_line));
    if (table_.instances > 0)
      machine_.left_out.push_back(
          fmt::format("{} MIG instances: a GPU is taken as a whole", table_.instances));
    return std::move(machine_);
  }

 private:
  /// A NUMA node for each group of which threads or a number are known. The others hang on nobody
  /// knows which: the first is assumed.
  void place_nodes() {
    const Group group = nodes_of(rows_);
    std::map<std::size_t, FoundSocket> known;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const TopoRow& row = rows_[i];
      if (row.cpus.empty() && row.nodes.empty()) continue;
      FoundSocket& node = known[group[i]];
      if (node.cpus.empty()) node.cpus = row.cpus;
      // a list of several nodes is that of a package
      if (!node.node && row.nodes.size() == 1) node.node = row.nodes.front();
    }
    std::map<std::size_t, std::size_t> number;
    for (auto& [which, node] : known) {
      number[which] = machine_.sockets.size();
      node.threads = node.cpus.count();
      machine_.sockets.push_back(node);
    }
    machine_.sockets_are_nodes = true;
    if (machine_.sockets.empty()) machine_.sockets.emplace_back();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto found = number.find(group[i]);
      node_.push_back(found == number.end() ? 0 : found->second);
      if (found == number.end()) unplaced_.push_back(shown_name(rows_[i]));
    }
    // one group, none known: one socket holds it all
    const bool apart = std::ranges::any_of(group, [&](std::size_t one) { return one != group[0]; });
    if (!unplaced_.empty() && (!number.empty() || apart))
      machine_.questions.push_back(
          fmt::format("which socket {} {} hang on? It was not told; cpu0 is assumed",
                      unplaced_.size() == 1 ? "does" : "do", fmt::join(unplaced_, ", ")));
  }

  /// As Linux calls it, where the legend says so.
  std::string shown_name(const TopoRow& row) const {
    const auto named =
        std::ranges::find(table_.names, row.name, [](const auto& one) { return one.first; });
    return named == table_.names.end() ? row.name : named->second;
  }

  void add_devices() {
    const Group behind = groups(rows_, Between::bridges);
    std::map<std::size_t, std::size_t> switches;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      FoundDevice device;
      device.kind = rows_[i].is_gpu() ? FoundKind::gpu : FoundKind::nic;
      device.name = shown_name(rows_[i]);
      device.at.socket = node_[i];
      if (std::ranges::count(behind, behind[i]) > 1) {
        const auto [known, is_new] = switches.try_emplace(behind[i], switches.size());
        if (is_new) machine_.switches.push_back({{node_[i], {}}, {}, "above " + rows_[i].name, {}});
        device.at.on_switch = known->second;
      }
      machine_.devices.push_back(device);
    }
  }

  void add_nvlinks() {
    for (std::size_t a = 0; a < rows_.size(); ++a)
      for (std::size_t b = a + 1; b < rows_.size(); ++b)
        if (const auto count = rows_[a].to[b].nvlinks; count > 0)
          machine_.nvlinks.push_back({a, b, count});
  }

  const TopoTable table_;
  const std::vector<TopoRow>& rows_;
  FoundMachine machine_;
  std::vector<std::size_t> node_;  ///< of each row
  std::vector<std::string> unplaced_;
};

}  // namespace

bool is_topo_matrix(std::string_view text) { return has_topo_table(text); }

FoundMachine machine_of_topo_matrix(const TopoTable& table) { return MatrixMachine(table).make(); }

FoundMachine machine_of_topo_matrix(std::string_view text, const std::string& name) {
  return machine_of_topo_matrix(read_topo_table(text, name));
}

}  // namespace gpufeed
