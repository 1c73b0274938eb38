// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "calib/discover/report/facts.h"
#include "calib/discover/xml.h"

namespace gpufeed {

/// What one source tells of the tree of a machine, and where it stands.
struct MachineFrame {
  FoundMachine machine;
  std::string what;  ///< "XML of lstopo"
  std::string where;
};

/// Frames of a report, the one that tells most first in this order.
struct MachineFrames {
  std::optional<MachineFrame> files;  ///< of /sys and /proc
  std::optional<MachineFrame> hwloc;
  std::optional<MachineFrame> nccl;
  std::optional<MachineFrame> matrix;
};

/// Takes XML, JSON and matrices out of a text.
/// \throws InputError  where one is damaged, or of a kind that is there already
void read_blocks(ReportLines& lines, MachineFrames& frames, ReportFacts& facts);

/// One machine of the frame that tells most and all facts that fit it.
FoundMachine combined(MachineFrames frames, ReportFacts facts);

}  // namespace gpufeed
