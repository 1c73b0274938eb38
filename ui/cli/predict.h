// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// The results of all scenarios, each simulated in a process of its own; complains about those that
/// have none. \param verb  as messages name it \return the worst exit status
int predict_all(const std::string& verb, const std::vector<std::string>& files,
                const Loaded& loaded, std::vector<Result>& results);

}  // namespace gpufeed::cli
