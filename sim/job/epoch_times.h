// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/job.h"

namespace gpufeed {

/// Of the epochs that one record stands for.
struct EpochTimes {
  double first = 0;
  double later = 0;
  double all = 0;
};
EpochTimes epoch_times(const Plan& plan, const Record& record, std::int64_t steps);

}  // namespace gpufeed
