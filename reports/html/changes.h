// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/elasticity.h"
#include "sim/model/study/whatif.h"

namespace gpufeed::html {

/// "free", "+3,610 USD", "price not known".
std::string money_text(const WhatIfRow& row);

/// A bar for each change: how much faster it makes the job; below it a table of all. Empty where
/// there are none.
std::string changes_picture(const std::vector<WhatIfRow>& rows);

/// The options that make each change, folded.
std::string commands_of(const std::vector<WhatIfRow>& rows);

/// A bar for each resource: what a tenth more of it gives, and what comes next.
std::string levers_picture(const Elasticity& elasticity);

}  // namespace gpufeed::html
