// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/discover/found.h"
#include "calib/discover/xml.h"

namespace gpufeed {

/// The machine of a file of lstopo (hwloc), of any version from 1 to 3.
/// \param root  its <topology>
/// \throws InputError  where it describes no machine, or a number is none; says where
FoundMachine machine_of_hwloc(const XmlElement& root);

}  // namespace gpufeed
