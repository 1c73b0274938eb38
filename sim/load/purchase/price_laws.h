// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/catalog.h"
#include "sim/model/fields/price_law.h"

namespace gpufeed {

/// How the catalog estimates prices, by kind of product; what is wrong with one is told to `out`.
PriceLaws price_laws_in(const Catalog& catalog, Diagnostics& out);

}  // namespace gpufeed
