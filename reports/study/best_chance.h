// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/study/faster.h"

namespace gpufeed {

/// Of each of several, how likely what would be measured of it is above that of all others: of two,
/// `chance_in_draws` but for sampling. Models' own errors are Student's of four degrees, alike in
/// what contestants of one mechanism share. Empty where they were not drawn alike.
std::vector<double> chances_to_be_best(const std::vector<Contestant>& all);

}  // namespace gpufeed
