// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/catalog/products.h"

namespace gpufeed {

/// Counts what a model is from its layers, and reports those that do not say what their kind needs.
/// \param place  of the model in its file: "workload.model", or empty
void count_model(Model& model, const std::string& place, const Location& where, Diagnostics& out);

/// Counts a model anew that is given by its architecture, whose `tokens` have changed.
/// \return false, and counts nothing, where it is more than can be simulated
bool count_tokens(Model& model);

}  // namespace gpufeed
