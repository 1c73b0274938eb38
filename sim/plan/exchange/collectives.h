// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

// All-reduces over all ranks, as exchange_plan.h describes them.

/// On one node each job has rings of its own.
Pattern ring_pattern(const ExchangeWays& ways);
Pattern tree_pattern(const ExchangeWays& ways);
Pattern hierarchical_pattern(const ExchangeWays& ways);
Pattern torus_pattern(const ExchangeWays& ways);

}  // namespace gpufeed
