// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed::ui {

/// What an exception says is wrong; one that is no `InputError` is a problem without a place.
std::vector<Problem> problems_of(const std::exception& error);

/// As `gpufeed check` words it; without a place where it has none.
std::string shown_line(const Problem& problem);
/// One a line, the last without its end.
std::string shown_lines(const std::vector<Problem>& problems);
/// The first in one sentence, without its place, in the words of forms; empty where there is none.
std::string first_sentence(const std::vector<Problem>& problems);

}  // namespace gpufeed::ui
