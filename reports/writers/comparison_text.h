// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/side_by_side.h"

namespace gpufeed {

/// What differs, then the results side by side, then which is faster and how sure that is.
std::string to_text(const SideBySide& comparison);

}  // namespace gpufeed
