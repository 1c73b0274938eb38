// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>

#include "sim/base/diagnostics.h"

namespace gpufeed {

class Catalog;
struct Scenario;

/// That the step time of every GPU in use is known: from a measured rate, or by an estimate, which
/// is learned from the rates of other GPUs and of the catalog's models and put into the workload.
/// The framework that is usual is remembered where none is named.
void find_compute_rates(Scenario& scenario, const Catalog& catalog,
                        const std::set<std::string, std::less<>>& misspelt, Diagnostics& out);

}  // namespace gpufeed
