// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed {

/// A job on machines of the catalog, as a user would write it.
struct CatalogJob {
  std::string text;
  std::vector<Override> set;
};

/// At random: a system, data on its drives or in a store, a network, and half of all keys that say
/// how it is read, decoded, copied and exchanged. Not every one is a good scenario.
CatalogJob catalog_job(std::uint64_t seed);

}  // namespace gpufeed
