// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/facts/warnings.h"
#include "sim/model/result/transformer_summary.h"
#include "sim/model/scenario.h"

namespace gpufeed {

/// Nothing where no step was timed by its architecture.
std::optional<TransformerSummary> transformer_summary(const Scenario& scenario);

/// What does not fit into the GPU's memory as jobs usually take it, and what would; nothing: it
/// does.
std::optional<Warning> memory_warning(const Scenario& scenario);

}  // namespace gpufeed
