// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/observed.h"

namespace gpufeed {

/// What was seen beside what was predicted; causes that may be why, the best first, each with what
/// to look at; what tells them apart; what it cannot be.
std::string to_text(const Explanation& explanation);

}  // namespace gpufeed
