// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/load.h"

namespace gpufeed {

/// The catalog of this source tree.
inline const Catalog& own_catalog() {
  static const std::string source = GPUFEED_SOURCE_DIR;
  static const Catalog known({source + "/hw_catalog", source + "/workloads"});
  return known;
}

}  // namespace gpufeed
