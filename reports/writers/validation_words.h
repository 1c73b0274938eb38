// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// A mean error with its unit: "1.8 %", "1.5 points", "0.4".
std::string amount(std::string_view score, double error);
/// A row's error with its sign: "+1.8 %".
std::string error_text(const ValidationRow& row, double error);
/// A measured or predicted number.
std::string number_of(double value);
/// What to say of a score in a word or two: empty where all is well.
std::string verdict(const MechanismScore& score);
/// Of counts: "83 % of 46 hit, median error 2.1 %"; empty for others.
std::string hits_text(const MechanismScore& score);
/// "86 % of 14 within +-6.1 %": of ranges; empty where there are none.
std::string coverage_text(const std::optional<Coverage>& coverage);
/// What a stranger may expect: coverage of the newest first contacts; empty where there are none.
std::string newest_text(const ValidationReport& report);
/// "GPUs wait for data in all rows", or that none has to; empty where rows differ, or do not tell.
std::string common_to_all(const MechanismScore& score);
/// A part of a mechanism's rows: those in which data keep the GPUs busy, and those in which not.
struct PartOfScore {
  std::string_view name;
  const ErrorSummary* errors;
};
/// Empty where no row tells, or what they tell is `common_to_all`.
std::vector<PartOfScore> parts_of(const MechanismScore& score);
/// Errors of the baseline; empty where there is none.
std::string baseline_text(std::string_view score, const ErrorSummary& errors);
/// The mean error with its sign.
std::string bias_text(std::string_view score, const ErrorSummary& errors);
/// The mean error over the baseline's; empty where there is none.
std::string ratio_text(const ErrorSummary& errors);
/// The rows whose role is predict with the largest errors for their kind, at most `most` of a
/// mechanism and only those beyond twice its mean, largest first within a mechanism.
std::vector<const ValidationRow*> largest_misses(const ValidationReport& report, std::size_t most);

}  // namespace gpufeed
