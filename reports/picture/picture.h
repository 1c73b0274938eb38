// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/catalog/system.h"
#include "sim/model/result/result.h"

namespace gpufeed {

/// A part in the picture of a machine; one box may stand for several drives or cards alike. In
/// units of the picture, which is as wide as it needs.
struct Box {
  std::vector<std::string> ids;
  std::string kind;   ///< of the graph: "socket", "switch", "gpu", "drive", "nic", "store", ...
  std::string name;   ///< "ssd0-ssd3"
  std::string title;  ///< the product
  float x = 0, y = 0, w = 0, h = 0;
  std::optional<double> load;  ///< 0 to 1, of its busiest resource; none where nothing limits it
  std::string load_of;         ///< whose: "cpu0 memory"
  std::vector<PartId> parts = {};  ///< in the order of `ids`
};

/// A link between two boxes, both directions; the numbers are those of the busier one.
struct Wire {
  std::size_t from = 0;  ///< numbers of boxes
  std::size_t to = 0;
  std::string kind;         ///< "bus", "socket link", "nvlink", "network"
  std::string resource;     ///< the busier direction's
  double load = 0;          ///< 0 to 1
  double rate_Bps = 0;      ///< what it carries
  double capacity_Bps = 0;  ///< 0: nothing limits it
  bool trunk = false;       ///< runs down left of what hangs in a column, and into it from the side
  std::string source;       ///< where the capacity is known from
  std::string basis;
};

struct Picture {
  std::vector<Box> boxes;
  std::vector<Wire> wires;
  float width = 0, height = 0;
  double most_Bps = 0;  ///< of the wires' rates
};

/// The machine in rows: sockets, the switches below them, what hangs on these in columns, the GPUs
/// lowest, NVSwitches, stores.
/// \param machine  that the result is of; names the products
Picture picture_of(const Result& result, const System& machine);

}  // namespace gpufeed
