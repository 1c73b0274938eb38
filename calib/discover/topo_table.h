// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calib/discover/cpu_set.h"

namespace gpufeed {

/// What lies between two devices, nearest first.
enum class Between { itself, one_bridge, bridges, host_bridge, node, sockets, not_told };

struct TopoCell {
  Between what = Between::not_told;
  std::int64_t nvlinks = 0;
};

struct TopoRow {
  std::string name;                 ///< "GPU0", "NIC3", "mlx5_0"
  std::vector<TopoCell> to;         ///< by column
  CpuSet cpus;                      ///< near it; empty where it was not told
  std::vector<std::int64_t> nodes;  ///< NUMA nodes near it
  int line = 0;                     ///< of the file; 0: it has no row, others told of it

  bool is_gpu() const { return name.starts_with("GPU"); }
};

/// One matrix of `nvidia-smi topo`, whole: a row for each column.
struct TopoTable {
  std::vector<TopoRow> rows;
  std::vector<std::pair<std::string, std::string>> names;  ///< "NIC0", "mlx5_0": of its NIC legend
  std::int64_t instances = 0;         ///< MIG instances that have rows; they are left out
  std::vector<std::string> repaired;  ///< what was mended: rows that were cut
  int second_line = 0;  ///< where another matrix begins, which is not read; 0: nowhere
  int first_line = 0;   ///< of the text, from 1
  int last_line = 0;    ///< of its rows and legends
};

/// Whether a line of the text is the head of such a matrix.
bool has_topo_table(std::string_view text);

/// Reads the first matrix of the text as people paste it: with colors, as a table of Markdown, with
/// lines that a terminal wrapped or cut, with columns between which the tab is missing. Devices may
/// have any name up to "CPU Affinity". A cell that is missing is that of the other direction.
/// \param name  stands for the file in messages
/// \throws InputError  where a row holds another word, or there is no row; says in which line
TopoTable read_topo_table(std::string_view text, const std::string& name);

}  // namespace gpufeed
