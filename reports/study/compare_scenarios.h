// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/compare.h"

namespace gpufeed {

struct Scenario;

/// `compared` of scenarios and their results, with values drawn of everything uncertain, in all
/// scenarios alike: 200 draws tell a probability to 2 points.
SideBySide compared_scenarios(const std::vector<std::string>& files,
                              const std::vector<const Scenario*>& scenarios,
                              const std::vector<Result>& results);

}  // namespace gpufeed
