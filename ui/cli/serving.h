// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// Whether the file describes an engine that serves a language model.
bool is_serving(const std::string& file);

/// simulate, of such a file. \param why  whether to simulate it again with more of each
/// \throws InputError
int simulate_serving(const ScenarioArguments& arguments, bool why, OutputOption& json,
                     OutputOption& csv, bool screen_taken);

}  // namespace gpufeed::cli
