// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/scenario.h"

namespace gpufeed {

/// The training rates of the workload that hold for a GPU and the workload's precision, by batch.
/// The workload's own rates, where it has any, stand instead of the model's.
std::vector<ComputeRow> compute_rows(const Workload& workload, const std::string& gpu);

/// How many GPUs take part.
std::int64_t gpus_in_use(const Scenario& scenario);

/// Samples of one step of all GPUs.
std::int64_t global_batch(const Scenario& scenario);

/// Positions in `System::drives` of a volume's drives, or of the drive itself, called `id`.
std::vector<std::size_t> drives_of(const System& system, const std::string& id);

}  // namespace gpufeed
