// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/store.h"

namespace gpufeed {

inline constexpr std::string_view kStoreOfServers = "Store of servers";

/// "nas: 12 servers, of which 2 may fail; 8+2 leaves 700 TB of 922 TB for data; reads 558 GB/s (its
/// network cards limit that), 109 MIOPS of 4 KiB (drives), writes ...".
std::string store_text(const StoreOfServers& store);

}  // namespace gpufeed
