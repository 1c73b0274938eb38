// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "calib/discover/found.h"

namespace gpufeed {

/// Adds the devices of some kinds that a matrix names, with the switches above them, to a machine
/// of which another source told sockets alone: at the socket with the same hardware threads. What
/// that leaves open is a question of the machine.
void take_devices(const FoundMachine& matrix, const std::set<FoundKind>& kinds,
                  FoundMachine& machine);

}  // namespace gpufeed
