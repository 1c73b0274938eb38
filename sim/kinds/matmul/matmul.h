// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/matmul.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What each of `workload.product` takes on the machine's first GPU (product.h), one alone, again
/// and again.
Result simulate_kind(const kind::Matmul& keys, const Scenario& scenario);

}  // namespace gpufeed
