// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "calib/discover/found.h"

namespace gpufeed {

/// This machine, by hwloc and what Linux tells in /sys and /proc: also disks that hang on no PCI
/// bus, what both ends of a PCIe connection can do, and the rate of network ports.
/// \throws InputError  where hwloc cannot look at it
FoundMachine this_machine();

/// The same of the machine whose /sys and /proc, or what counts of them, are below `root`. It sets
/// variables of the process's environment while it looks.
/// \throws InputError  where hwloc cannot look at it
FoundMachine machine_at(const std::filesystem::path& root);

/// Shares `total` out among the sockets where what their NUMA nodes say differs from it by more
/// than a twentieth, and asks where there are several: nodes of a virtual machine may grow with
/// what is in use.
void share_memory(FoundMachine& machine, Bytes total);

/// Hardware threads of this machine's first core; 1 where hwloc knows no cores.
/// \throws InputError  where hwloc cannot look at it
int threads_of_core();

}  // namespace gpufeed
