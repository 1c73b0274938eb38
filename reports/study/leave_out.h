// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/study/case_runner.h"

namespace gpufeed {

/// Fits the constants of each law of `run.bars` anew for every machine or network, to the rows of
/// all others, and notes in `outcomes` what its rows are then predicted to be. All combinations of
/// the constants' values are simulated once; the best for some rows is that with the least mean
/// size of errors; of equals the first. \param outcomes  of `tasks`, as given
void leave_out(LeaveOut by, const std::vector<CaseTask>& tasks, const Catalog& catalog,
               const ValidationRun& run, std::vector<CaseOutcome>& outcomes);

}  // namespace gpufeed
