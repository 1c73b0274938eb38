// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// Whether the file describes a cluster with its jobs.
bool is_cluster(const std::string& file);

/// Its forms beside the screen.
struct ClusterOutputs {
  OutputOption& json;
  OutputOption& csv;
  OutputOption& html;
  std::string command;  ///< that makes the page
};

struct ClusterWishes {
  std::optional<std::string> policy;   ///< the scheduler that is wanted, by its name
  std::optional<std::string> command;  ///< another's, in its place
  bool why = false;                    ///< what else would help
};

/// simulate, of such a file.
/// \throws InputError
int simulate_cluster(const ScenarioArguments& arguments, const ClusterWishes& wishes,
                     const ClusterOutputs& outputs, bool screen_taken);

/// import cluster. \throws UsageError, InputError
int import_cluster(const Arguments& arguments);

}  // namespace gpufeed::cli
