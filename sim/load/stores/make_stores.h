// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Makes an array of each store that is made of servers (sim/model/storage). Refused by name: keys
/// of an array beside them, servers without drives, cards or processors, redundancy that the
/// software does not know or that needs more servers, and failures that lose data.
void make_stores(Scenario& scenario, Diagnostics& out);

}  // namespace gpufeed
