// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

/// The model's title, of one given by its architecture with the tokens of a sample.
std::string model_in_words(const Model& model);

/// The job in one line: network, number format, batch, GPUs, samples.
std::string workload_in_words(const Scenario& scenario, const Plan& plan);

/// "scratch: 4 x NAME (ssd0-ssd3)", or a store and the network cards it is reached over.
/// \param drives  their ids, where it is no store
std::string place_in_words(const Scenario& scenario, const PartRef& at);

/// Where the data of training lie and how they come there, in one line.
std::string storage_in_words(const Scenario& scenario);

}  // namespace gpufeed
