// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/parts.h"

namespace gpufeed {

Limiter named(StepPart part);

/// Of a decoder whose GPUs hold it back: the largest part of its step, and which settings would
/// shorten that, the best first; before what else shows. \param result  with its bottleneck and
/// `transformer`
void add_step_evidence(const Scenario& scenario, Result& result);

}  // namespace gpufeed
