// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// What the ranks of a model split by `scenario.parallel` pass on: within tensor-parallel groups,
/// from stage to stage, and among replicas.
ExchangePhases split_model_phases(ExchangeWays& ways);

}  // namespace gpufeed
