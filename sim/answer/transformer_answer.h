// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/facts/warnings.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/parts.h"

namespace gpufeed {

/// Nothing where no step was timed by its architecture.
std::optional<TransformerSummary> transformer_summary(const Scenario& scenario);

/// What does not fit into the GPU's memory as jobs usually take it, and what would; nothing: it
/// does.
std::optional<Warning> memory_warning(const Scenario& scenario);

/// A part by its code.
Limiter named(StepPart part);

/// Of a decoder whose GPUs hold it back: the largest part of its step, and which settings would
/// shorten that, the best first; before what else shows. \param result  with its bottleneck and
/// `transformer`
void add_step_evidence(const Scenario& scenario, Result& result);

}  // namespace gpufeed
