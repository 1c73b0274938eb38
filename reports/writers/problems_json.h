// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed {

/// Problems as a JSON array, for programs. Of each: `code`; `place` (`file`, and where it is known
/// `line` and `column`, from 1); `subject`, the path of the key, or null; `found`, `expected` and
/// `known` (names), where they say something; `fixes`, each with `action` (set, rename, remove),
/// `key` and `value`; and the `sentence` that people read.
std::string to_json(const std::vector<Problem>& problems);

/// Reads what `to_json` writes; the sentence is then the problem's message.
std::vector<Problem> problems_from_json(std::string_view json);

}  // namespace gpufeed
