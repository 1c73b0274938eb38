// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// Whether the file describes a cluster with its jobs.
bool is_cluster(const std::string& file);

/// simulate, of such a file. \param policy  the scheduler that is wanted, by its name
/// \throws InputError
int simulate_cluster(const ScenarioArguments& arguments, const std::optional<std::string>& policy,
                     OutputOption& json, OutputOption& csv, bool screen_taken);

/// import cluster. \throws UsageError, InputError
int import_cluster(const Arguments& arguments);

}  // namespace gpufeed::cli
