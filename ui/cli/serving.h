// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/study/whatif.h"
#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// Whether the file describes an engine that serves a language model.
bool is_serving(const std::string& file);

struct ServingOutputs {
  OutputOption& json;
  OutputOption& csv;
  OutputOption& html;
};

/// simulate, of such a file. \param why  whether to simulate it again with more of each
/// \throws InputError
int simulate_serving(const ScenarioArguments& arguments, bool why, ServingOutputs outputs,
                     const Arguments& typed, bool screen_taken);

/// whatif, of such a file: what to buy or set, and how sure that is.
/// \throws InputError
int what_if_serving(const ScenarioArguments& arguments, const WhatIfRun& run, OutputOption& json,
                    OutputOption& page, const Arguments& typed, bool screen_taken);

}  // namespace gpufeed::cli
