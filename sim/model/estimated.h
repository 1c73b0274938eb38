// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed {

struct Scenario;

/// The rates, times, sizes and shares in a scenario that are estimates by their provenance, each
/// once however many parts have it: "decode_time of imagenet-1k". What GPUs compute where nobody
/// measured it is one, too. Prices, powers and peaks of computing (which have had their effect when
/// a scenario is loaded) are left out.
std::vector<std::string> estimated_values(const Scenario& scenario);

/// The scenario with the value number `which` of that list times `factor`, as far as its key
/// allows.
Scenario with_estimate(const Scenario& scenario, std::size_t which, double factor);

}  // namespace gpufeed
