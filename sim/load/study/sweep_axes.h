// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/catalog.h"
#include "sim/model/study/sweep.h"

namespace gpufeed {

/// Fills in the values, or the open range, of an axis from what it was given.
void expand_axis(Axis& axis, const Catalog& catalog, Diagnostics& out);

}  // namespace gpufeed
