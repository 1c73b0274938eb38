// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/goal.h"

namespace gpufeed {

/// The goal's rules about products (`only`, `stock`) that a bill does not keep to, in words.
std::vector<std::string> broken_rules(const Goal& goal, const Result& result);

}  // namespace gpufeed
