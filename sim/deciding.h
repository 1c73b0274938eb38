// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

using SimulateItself = Result (*)(const Scenario&);

/// What simulates a scenario.
struct Simulators {
  SimulateItself whole;      ///< what is told of it
  SimulateItself few_nodes;  ///< few nodes that stand for all, though chance makes some unlike
};

/// The defaults on which the bottleneck or more than a tenth of the throughput rests, with the
/// effect of what else is usual; the largest first. Only those are simulated that the result and an
/// outlook (sim/range/outlook.h) let decide, and of them a few. A decoder's that never waits for
/// data follow from its step. Of a cluster of which each node was simulated, for chance makes some
/// unlike others, an effect is told of few nodes with equal shares of a store: chance meets both
/// alike. \param result  of the scenario
std::vector<DecidingDefault> deciding_defaults(const Scenario& scenario, const Result& result,
                                               const Simulators& simulators);

/// The effects of all that may well be otherwise, each simulated; the largest first.
std::vector<DecidingDefault> effects_of_defaults(const Scenario& scenario,
                                                 const Simulators& simulators);

}  // namespace gpufeed
