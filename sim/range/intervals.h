// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Fills in where what is measured will lie (`prediction_intervals`, by the law of spread.h), or
/// why that is not told (`no_interval`), and of jobs that run epochs `range`: the same of three
/// values, with what makes them wide. Nothing passes what is exact: emulated accelerators are no
/// faster than when they never wait, and of GPUs that wait for data both the data and the rate of
/// GPUs that never wait must be off for a rate to be (`end_below`).
///
/// A time has the ends of its rate, the other way round; a sum of times, such as copying in and
/// training, those of its parts, which err independently. `run.range_samples = 0` asks for none.
/// \param result  of the scenario, with its `steps` in order
void add_intervals(const Scenario& scenario, Result& result);

}  // namespace gpufeed
