// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/study/candidates.h"

namespace gpufeed {

struct Front {
  std::vector<std::int64_t> choices;  ///< the best in its first exactly known key first
  double noise = 0;                   ///< differences of what is simulated that were no gain
};

/// The choices that no other beats in the keys of the goal's front. A choice is on it only where
/// each that is on it already and is no worse in what is exactly known, such as the price, is
/// clearly worse in something that is simulated; of choices that differ in nothing but chance, it
/// has the first. So of each that is left out, one on it is no worse by more than `noise`.
/// What lacks prices, or powers, that others have in theirs is on none of price, or power.
/// \param candidates  all of them examined
Front front_of(Candidates& candidates);

}  // namespace gpufeed
