// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calib/discover/found.h"

namespace gpufeed {

struct NamedText {
  std::string name;  ///< of the file, for messages
  std::string text;
};

/// The one machine that all texts tell of, each of which may hold what several programs printed,
/// one after another: XML of lstopo or NCCL, nvidia-smi (topo -m, topo -p2p, -L, -q), rocm-smi,
/// amd-smi, lspci, lscpu, numactl -H, dmidecode, ip, ethtool, nvme list, lsblk, mdstat, mount. The
/// source that tells most of the tree is the frame; the others fill in what it leaves open. What
/// nothing here knows is told in `left_out`, by its lines.
/// \throws InputError  where nothing of a machine is in them, one is damaged, or two tell of two
///                     machines
FoundMachine machine_of_report(const std::vector<NamedText>& texts);

}  // namespace gpufeed
