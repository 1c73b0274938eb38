// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/validation.h"
#include "reports/writers/validation_words.h"

namespace gpufeed {
namespace {

std::string row_line(const ValidationRow& row) {
  const std::string baseline = row.baseline_error ? error_text(row, *row.baseline_error) : "";
  const std::string note = row.role == "fit" ? " (fit)" : "";
  constexpr std::size_t kTitles = 45;
  return labeled(fmt::format("{:>11} {:>11} {:>9} {:>9}", number_of(row.measured),
                             number_of(row.predicted), error_text(row, row.error), baseline),
                 row.title + note, kTitles);
}

/// All mechanisms that rows have, with those that only feed parameters.
std::vector<std::string> names_of(const ValidationReport& report) {
  std::vector<std::string> names;
  for (const auto& row : report.rows)
    if (!std::ranges::count(names, row.mechanism)) names.push_back(row.mechanism);
  std::ranges::sort(names);
  return names;
}

/// Names are long: each has a line of its own.
std::string score_line(std::string_view indent, const std::string& name, std::string_view score,
                       const ErrorSummary& errors) {
  const auto or_dash = [](const std::string& text) { return text.empty() ? "-" : text; };
  return labeled(indent, name, indent.size()) +
         fmt::format("{:>8}{:>14}{:>14}{:>14}{:>15}{:>14}{:>8}\n", errors.cases,
                     amount(score, errors.mean_abs_error), amount(score, errors.median_abs_error),
                     amount(score, errors.p95_abs_error), bias_text(score, errors),
                     or_dash(baseline_text(score, errors)), or_dash(ratio_text(errors)));
}

/// The mechanism, and below it its parts.
std::string score_lines(const MechanismScore& score) {
  const std::string note = verdict(score);
  std::string out =
      score_line("", score.name + (note.empty() ? "" : ": " + note), score.score, score);
  if (score.left_out_mean_abs_error)
    out += fmt::format("        left out: {} in the mean\n",
                       amount(score.score, *score.left_out_mean_abs_error));
  if (score.coverage)
    out += fmt::format("        80 % prediction intervals: {}\n", coverage_text(score.coverage));
  if (score.hits) out += fmt::format("        {}\n", hits_text(score));
  for (const auto& [name, errors] : parts_of(score))
    out += score_line("  ", std::string(name), score.score, *errors);
  return out;
}

}  // namespace

std::string summary_text(const ValidationReport& report) {
  std::string out = fmt::format("{:>8}{:>14}{:>14}{:>14}{:>15}{:>14}{:>8}\n", "rows", "mean error",
                                "median", "p95", "bias", "baseline", "ratio");
  for (const auto& score : report.mechanisms) out += score_lines(score);
  for (const auto& score : report.mechanisms)
    for (const auto& bar : score.missed_bars)
      out += labeled("", fmt::format("missed: {}: {}", score.name, bar), 0);
  out += fmt::format("\n{} cases, {} more have fed parameters\n", report.cases, report.fit_cases);
  if (report.coverage)
    out += fmt::format(
        "measured values within the 80 % prediction intervals: {}; interval score {}\n",
        coverage_text(report.coverage), text_number(report.coverage->interval_score, 3));
  if (const auto newest = newest_text(report); !newest.empty()) out += labeled("", newest, 0);
  if (report.pairs.pairs > 0)
    out += fmt::format("the better of two configurations is named rightly in {} of {} pairs\n",
                       report.pairs.right, report.pairs.pairs);
  for (const auto& failure : report.failures)
    out += fmt::format("FAILED {}\n{}\n", failure.title, failure.message);
  return out;
}

std::string to_text(const ValidationReport& report) {
  std::string out;
  for (const auto& name : names_of(report)) {
    out += fmt::format("{}\n{:>11} {:>11} {:>9} {:>9}\n", name, "measured", "predicted", "error",
                       "baseline");
    for (const auto& row : report.rows)
      if (row.mechanism == name) out += row_line(row);
    out += "\n";
  }
  return out + summary_text(report);
}

}  // namespace gpufeed
