// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catalog.h"

namespace gpufeed {

const Catalog& own_catalog() {
  static const std::string source = GPUFEED_SOURCE_DIR;
  static const Catalog known =
      Catalog({source + "/hw_catalog", source + "/workloads"}).remembering();
  return known;
}

}  // namespace gpufeed
