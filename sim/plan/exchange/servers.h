// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// All gradients of one rank to the parameter servers, then all weights back. Every GPU keeps to
/// one server for what is not on its own node; all servers are asked alike. Where the compute rates
/// include what stays on a node, that is left out.
void add_serving(const ExchangeWays& ways, Pattern& phases, int rank);

/// The same of all ranks at once.
Pattern server_pattern(const ExchangeWays& ways);

}  // namespace gpufeed
