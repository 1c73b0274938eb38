// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/study/candidates.h"

namespace gpufeed {

/// Why no choice meets all constraints and rules about products: those that none meets by itself,
/// with the closest value that any attains; where each is met by some, all of them that some choice
/// fails, with the closest among the choices that meet the others. Values that only a simulation
/// tells are searched best-first by their bounds. \param candidates  all examined
std::vector<Obstacle> obstacles_of(Candidates& candidates, unsigned jobs);

}  // namespace gpufeed
