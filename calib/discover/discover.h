// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "calib/discover/found.h"

namespace gpufeed {

/// The machine that a text describes: XML of lstopo (hwloc) or an NCCL topology, or what
/// `nvidia-smi topo -m` prints.
/// \param name  stands for the file in messages
/// \throws InputError  where it is none of these, or damaged; an NCCL graph holds no machine, and
/// is
///                     refused by name
FoundMachine machine_in(std::string_view text, const std::string& name);

}  // namespace gpufeed
