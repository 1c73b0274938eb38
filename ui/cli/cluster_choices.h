// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// A cluster under each combination of values of its keys: a line each, and which is best by what.
/// \param varied  "KEY=VALUE|VALUE": what --set takes, with several values
/// \throws InputError  of the combination that is wrong
int compare_choices(const ScenarioArguments& arguments, const std::vector<std::string>& varied,
                    OutputOption& json, bool screen_taken);

}  // namespace gpufeed::cli
