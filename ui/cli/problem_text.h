// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed::cli {

/// Problems as a terminal shows them: of each a line, and where it stands in a file of the user's
/// the line there, with a caret under the place. An option is its own line.
std::string problem_text(const std::vector<Problem>& problems);

}  // namespace gpufeed::cli
