// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/model/cluster/answer.h"

namespace gpufeed::html {

/// A piece of a job on a node, or how full some nodes were for a while.
struct GanttPiece {
  double from = 0, to = 0;  ///< parts of the whole time
  double top = 0;           ///< in rows
  double height = 0;        ///< of a row
  std::size_t color = 0;    ///< of the user, see Gantt
  double strength = 1;      ///< of the color, 0 to 1
  bool held_back = false;   ///< by others on the same store or link
  std::string words = {};   ///< shown where one points at it
};

/// Jobs on nodes over time. Nodes are rows, GPUs lanes in them; where there is no room for that, a
/// map of how much of some neighbors' GPUs jobs hold.
struct Gantt {
  static constexpr std::size_t kUserColors = 5;  ///< that are a user's own; others have the next

  bool is_map = false;
  std::vector<std::string> rows = {};                           ///< their names
  std::vector<std::pair<std::string, std::size_t>> users = {};  ///< that have a color of their own
  bool has_others = false;                                      ///< users without
  double start_s = 0, length_s = 1;
  std::vector<GanttPiece> pieces = {};
  std::string note = {};  ///< what rows and colors are
};

Gantt gantt_of(const cluster::Answer& answer);

/// The same as markup.
std::string gantt_chart(const cluster::Answer& answer);

}  // namespace gpufeed::html
