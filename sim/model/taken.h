// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/nearest.h"
#include "sim/model/workload.h"

namespace gpufeed {

/// The kinds of workload on which a section of the scenario, or its key `name`, has an effect.
Names kinds_that_take(std::string_view section, std::string_view name = {});

/// Whether `kind` is one of them.
bool is_taken(WorkloadKind kind, std::string_view section, std::string_view name = {});

}  // namespace gpufeed
