// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/reader.h"

namespace gpufeed {

enum class WorkloadKind : std::size_t;

/// Whether a scenario has a table of that name, whose keys are the same for all kinds.
bool is_section(std::string_view name);

/// Reports every section and key of the scenario that has no effect on its kind of workload.
void refuse_idle_keys(const toml::table& scenario, WorkloadKind kind, const Reader& reader,
                      Diagnostics& out);

/// Drops those that stand among the defaults.
void drop_idle_defaults(WorkloadKind kind, std::vector<DefaultValue>& defaults);

}  // namespace gpufeed
