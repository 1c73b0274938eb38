// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/study/whatif.h"
#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// An engine that serves, and in `what_if` every change of sim/serving/what_if.h that can be
/// simulated, each with its chances: against the scenario as it is, outcome by outcome with the
/// same requests and the same error of the model. Of `run.settings_only` those whose price stays.
/// \throws InputError  where the scenario is wrong
serving::Answer what_if(const serving::Document& document, const WhatIfRun& run);

}  // namespace gpufeed
