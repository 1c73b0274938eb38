// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpufeed {

class Findings;

/// Copies of each NUMA node, and what the page cache costs a core: copying out of it, filling it,
/// throwing pages out.
void fit_memory(const nlohmann::ordered_json& raw, Findings& findings);

}  // namespace gpufeed
