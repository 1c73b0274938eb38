// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/validation_report.h"

namespace gpufeed {

/// A mean error with its unit: "1.8 %", "1.5 points", "0.4".
std::string amount(std::string_view score, double error);
/// A row's error with its sign: "+1.8 %".
std::string error_text(const ValidationRow& row, double error);
/// A measured or predicted number.
std::string number_of(double value);
/// What to say of a score in a word or two: empty where all is well.
std::string verdict(const MechanismScore& score);
/// The rows whose role is predict with the largest errors for their kind, at most `most` of a
/// mechanism and only those beyond twice its mean, largest first within a mechanism.
std::vector<const ValidationRow*> largest_misses(const ValidationReport& report, std::size_t most);

}  // namespace gpufeed
