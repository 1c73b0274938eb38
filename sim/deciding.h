// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

using SimulateItself = Result (*)(const Scenario&);

/// The defaults on which the bottleneck or more than a tenth of the throughput rests, with the
/// effect of what else is usual; the largest first. Only those are simulated that the result and an
/// outlook (sim/range/outlook.h) let decide, and of them a few. A decoder's that never waits for
/// data follow from its step.
/// \param result  of the scenario
std::vector<DecidingDefault> deciding_defaults(const Scenario& scenario, const Result& result,
                                               SimulateItself simulate);

/// The effects of all that may well be otherwise, each simulated; the largest first.
std::vector<DecidingDefault> effects_of_defaults(const Scenario& scenario, SimulateItself simulate);

}  // namespace gpufeed
