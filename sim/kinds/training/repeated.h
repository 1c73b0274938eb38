// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/account.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Of a run of every step that leaves its mean open by more than `run.precision`, for the job is
/// short, or chance in it large: the mean over more runs with other random numbers, as many as make
/// it known, or what of it is `worth_knowing`, `run.replications` at most. Where a run has too few
/// steps to tell how well it knows its mean, the runs' own means tell. Of any other run: its own
/// account.
struct Repeated {
  EpochsAccount mean;
  std::int64_t runs = 1;
  double known_to = 0;     ///< the mean: half width of its 95 % interval, relative
  double runs_differ = 0;  ///< and of one run about it
};

/// \param first    the first run
/// \param account  of it
Repeated repeated(const Scenario& scenario, const Plan& plan, const Epochs& epochs,
                  const Record& first, EpochsAccount account);

}  // namespace gpufeed
