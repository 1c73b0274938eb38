// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/plan/rates.h"

namespace gpufeed {

/// What the results of kinds that train nothing share: head, machine, the limits in use with their
/// load, what rests on estimates. What is said of training is infinite: it does not apply.
/// \param load  0 to 1
Result result_without_training(const Scenario& scenario, const Graph& graph, const Limits& limits,
                               const ByLimit<double>& load);
/// Of limits that are those of the graph alone.
Result result_without_training(const Scenario& scenario, const Graph& graph,
                               const ByResource<double>& load);

/// "scratch: 4 x NAME (ssd0-ssd3), raid0": where an io workload reads and writes.
/// \param sources  the drives, where it is no store
std::string io_storage_in_words(const Scenario& scenario, const PartRef& at);

/// Those of limits of one kind; of a drive's reading and writing, the drive's.
std::vector<Label> labels_of(const Limits& limits, const std::vector<LimitIndex>& which);

}  // namespace gpufeed
