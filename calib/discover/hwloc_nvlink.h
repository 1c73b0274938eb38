// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "calib/discover/found.h"
#include "calib/discover/xml.h"

namespace gpufeed {

/// Places in `FoundMachine::devices` by hwloc's gp_index of the PCI function or what the system
/// makes of it.
using PlacesByIndex = std::map<std::string, std::size_t, std::less<>>;

struct HwlocPlaces {
  const PlacesByIndex& devices;
  const PlacesByIndex& sockets;  ///< places in `FoundMachine::sockets`
};

/// NVLinks from hwloc's matrix of that name: MB/s from each GPU, processor or port of an NVSwitch
/// to each; those of AMD's GPUs from its matrix of xGMI hops, one link where there is one hop.
/// \throws InputError  where the matrix is not of the size it says
void find_nvlinks(const XmlElement& root, const HwlocPlaces& places, FoundMachine& machine);

}  // namespace gpufeed
