// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// `gpufeed catalog prices`: every price and rent of the catalog, and how old it is.
int catalog_prices(const Arguments& arguments);

}  // namespace gpufeed::cli
