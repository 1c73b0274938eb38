// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/anchor.h"

namespace gpufeed {

/// What was seen beside the predictions before and after; the number that the run sets, as `--set`
/// takes it; what would explain the run as well, and how to tell; what the run leaves open.
std::string to_text(const Anchor& anchor);

}  // namespace gpufeed
