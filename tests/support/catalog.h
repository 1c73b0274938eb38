// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/load.h"

namespace gpufeed {

/// The catalog of this source tree, of which every entry is read once.
const Catalog& own_catalog();

}  // namespace gpufeed
