// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/collective.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What nccl-tests would print for `workload.operations` over sizes from `from` to `to`, each
/// alone, after warming up (plan/exchange/tuning.h). Without a library of collectives, rings at the
/// rate of their links. \throws InputError  where two GPUs are not connected
Result simulate_kind(const kind::Collective& keys, const Scenario& scenario);

}  // namespace gpufeed
