// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// \throws InputError  where a GPU has no way to the data, or two GPUs none to each other
Plan make_plan(const Scenario& scenario);

}  // namespace gpufeed
