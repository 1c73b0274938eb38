// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

struct Scenario;

/// How long a job trains, in steps of all its GPUs.
struct JobLength {
  std::int64_t steps_per_epoch = 0;
  std::int64_t steps = 0;   ///< of all epochs together
  std::int64_t epochs = 1;  ///< begun; the last one may be shorter
};

/// From `workload.epochs`, else `workload.samples`, else every sample once. Several jobs on one
/// machine share its GPUs, and each reads all of the data set. What does not fill a step is left
/// out.
JobLength job_length(const Scenario& scenario);

}  // namespace gpufeed
