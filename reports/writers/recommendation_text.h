// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/recommendation.h"

namespace gpufeed {

/// The answer to a goal as a screen: what to choose, what proves it; or what stands in the way.
std::string to_text(const Recommendation& recommendation);

}  // namespace gpufeed
