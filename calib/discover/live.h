// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/discover/found.h"

namespace gpufeed {

/// This machine, by hwloc and what Linux tells in /sys and /proc: also disks that hang on no PCI
/// bus, what both ends of a PCIe connection can do, and the rate of network ports.
/// \throws InputError  where hwloc cannot look at it
FoundMachine this_machine();

}  // namespace gpufeed
