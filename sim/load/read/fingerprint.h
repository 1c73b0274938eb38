// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/load/read/catalog.h"

namespace gpufeed {

/// Sixteen hexadecimal digits that change when an entry of the catalog is added, removed or
/// edited, or one that the catalog remembers from elsewhere. Where the folders lie makes no
/// difference. (FNV-1a, 64 bits.)
std::string fingerprint(const Catalog& catalog);

}  // namespace gpufeed
