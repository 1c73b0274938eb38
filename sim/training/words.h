// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/training/plan.h"

namespace gpufeed {

/// Ids in short: "ssd0-ssd3", "gpu0, gpu2"; a run of three or more numbers becomes a range.
std::string join_ids(const std::vector<std::string>& ids);

/// The job in one line: network, number format, batch, GPUs, samples.
std::string workload_in_words(const Scenario& scenario, const Plan& plan);

/// Where the data lie, in one line.
std::string storage_in_words(const Scenario& scenario);

}  // namespace gpufeed
