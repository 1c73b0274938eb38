// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// What the ranks of a model split by `scenario.parallel` pass on: among replicas, within
/// tensor-parallel groups, and from stage to stage. Gradients of replicas may travel while others
/// are computed; what a block or a stage computes on next is waited for.
Pattern split_model_pattern(const ExchangeWays& ways);

}  // namespace gpufeed
