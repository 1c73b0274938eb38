// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// Every row by mechanism, then one line for each mechanism, then what is wrong.
std::string to_text(const ValidationReport& report);
/// One line for each mechanism, and what is wrong: the end of `to_text`.
std::string summary_text(const ValidationReport& report);
/// The scoreboard in Markdown; it shows `picture`, a path beside it.
std::string to_board(const ValidationReport& report, const std::string& picture);

}  // namespace gpufeed
