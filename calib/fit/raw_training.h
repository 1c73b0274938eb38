// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpufeed {

class Findings;

/// The training rates that gpufeed-training-probe measured, a line each: as the keys of a
/// [[workload.compute]] table, in which a scenario takes them. Where the step is hardly longer than
/// that of a batch of one or two, the host is what takes so long, and the line says it.
void tell_training(const nlohmann::ordered_json& training, Findings& findings);

}  // namespace gpufeed
