// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/scenario.h"

namespace gpufeed {

/// The drives that training reads, if they are all of one model; else none.
std::vector<const Device<Drive>*> data_drives(const Scenario& scenario);

/// What a bay must be wired for.
LinkFamily wiring_of(const Drive& drive);

/// Whether one may hang where another hung: of the same form and wiring, or smaller, for bays of
/// 3.5 inch take drives of 2.5 inch in frames.
bool fits_bay(const Drive& other, const Drive& now);

}  // namespace gpufeed
