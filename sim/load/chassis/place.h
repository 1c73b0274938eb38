// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/chassis/choose.h"

namespace gpufeed {

/// A part where it goes.
struct Placed {
  std::string id;
  std::string model;
  Location where;              ///< what asked for it, or moved it
  std::string at;              ///< a socket or a switch
  const Slot* slot = nullptr;  ///< of the chassis
  std::string link;            ///< the slot's, where it is slower than the part's
  std::optional<std::int64_t> lanes;
  std::string board;
};

/// Drives that were asked for by one text.
struct PlacedVolume {
  Names drives;
  Location where;
};

/// Parts where they go.
struct Placement {
  std::vector<Placed> gpus;
  std::vector<Placed> nics;
  std::vector<Placed> drives;
  std::vector<PlacedVolume> volumes;
  std::vector<std::string> doubts;
};

/// Puts the parts into the slots of the chassis as a vendor does: GPUs spread over the widest
/// slots, cards beside them, drives into bays; then `place = { gpu0 = "cpu1" }` moves them. Refuses
/// parts that no slot takes, too many of them, and GPU boards that are not full.
Placement place_parts(const Request& request, const Parts& parts);

}  // namespace gpufeed
