// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/job.h"

namespace gpufeed {

struct Scenario;

/// By how much the step time of another run may differ, relative, because of what is drawn once a
/// run and stays: the shares that readers get of a store. Simulates a few runs with other shares,
/// each as the one that is told; half width of the 95 % interval for the difference of two runs
/// (Student's t over the runs, less what chance makes of each run by itself). 0 where nothing is
/// drawn, or makes no difference. \param step_s  of the run that is reported, without what
/// checkpoints add
double other_shares(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                    double step_s);

}  // namespace gpufeed
