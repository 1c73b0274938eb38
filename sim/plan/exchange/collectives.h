// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

// All-reduces over all ranks, as exchange_plan.h describes them.

/// On one node each job has rings of its own.
ExchangePhases ring_phases(ExchangeWays& ways);
ExchangePhases tree_phases(ExchangeWays& ways);
ExchangePhases hierarchical_phases(ExchangeWays& ways);
ExchangePhases torus_phases(ExchangeWays& ways);

}  // namespace gpufeed
