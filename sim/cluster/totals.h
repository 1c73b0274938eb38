// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cluster/outcome.h"
#include "sim/model/cluster/totals.h"

namespace gpufeed::cluster {

/// Time at work over the time that the same takes alone; 1 of a job that did not work.
double interference(const JobRecord& record);

/// A turnaround over the work, of which 10 s are taken at least; never below 1.
double bounded_slowdown(const Job& job, double turnaround);

/// What all jobs together come to.
Totals totals_of(const Case& of, const Outcome& outcome);

}  // namespace gpufeed::cluster
