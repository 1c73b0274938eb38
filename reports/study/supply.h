// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"
#include "sim/model/study/goal.h"

namespace gpufeed {

/// The first of the goal's rules about products (`only`, `stock`) that a bill does not keep to, in
/// words; empty: none.
std::string broken_rule(const Goal& goal, const Result& result);

}  // namespace gpufeed
