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
  return fmt::format("{:>11} {:>11} {:>9} {:>9}  {}\n", number_of(row.measured),
                     number_of(row.predicted), error_text(row, row.error), baseline,
                     clipped(row.title + note, kScreenWidth - 45));
}

/// All mechanisms that rows have, with those that only feed parameters.
std::vector<std::string> names_of(const ValidationReport& report) {
  std::vector<std::string> names;
  for (const auto& row : report.rows)
    if (!std::ranges::count(names, row.mechanism)) names.push_back(row.mechanism);
  std::ranges::sort(names);
  return names;
}

std::string score_line(const MechanismScore& score) {
  const std::string baseline =
      score.baseline_mean_abs_error ? amount(score.score, *score.baseline_mean_abs_error) : "-";
  const std::string ratio = score.over_baseline ? fmt::format("{:.2f}", *score.over_baseline) : "-";
  return fmt::format("{:<42}{:>6}{:>12}{:>12}{:>12}{:>8}  {}\n", clipped(score.name, 41),
                     score.cases, amount(score.score, score.mean_abs_error),
                     amount(score.score, score.p95_abs_error), baseline, ratio, verdict(score));
}

}  // namespace

std::string summary_text(const ValidationReport& report) {
  std::string out = fmt::format("{:<42}{:>6}{:>12}{:>12}{:>12}{:>8}\n", "Mechanism", "rows",
                                "mean error", "p95", "baseline", "ratio");
  for (const auto& score : report.mechanisms) out += score_line(score);
  for (const auto& score : report.mechanisms)
    for (const auto& bar : score.missed_bars)
      out += labeled("", fmt::format("missed: {}: {}", score.name, bar), 0);
  out += fmt::format("\n{} cases, {} more have fed parameters\n", report.cases, report.fit_cases);
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
