// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/catalog.h"

namespace gpufeed {

/// The source tree's own, read once; no input may name a file elsewhere.
inline const Catalog& fuzz_catalog() {
  static const Catalog catalog =
      Catalog({GPUFEED_SOURCE_DIR "/hw_catalog", GPUFEED_SOURCE_DIR "/workloads"})
          .confined_to(GPUFEED_SOURCE_DIR "/examples")
          .remembering();
  return catalog;
}

}  // namespace gpufeed
