// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/writers/validation.h"
#include "reports/writers/validation_words.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMisses = 3;  ///< shown of a mechanism

/// Text in a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : (c == '\n' ? " " : std::string(1, c));
  return out;
}

std::string score_row(const MechanismScore& score) {
  const auto baseline = [&] {
    return score.baseline_mean_abs_error ? amount(score.score, *score.baseline_mean_abs_error)
                                         : std::string("none");
  };
  std::string note;
  for (const auto& bar : score.missed_bars) note += (note.empty() ? "" : "; ") + bar;
  if (score.over_baseline && *score.over_baseline > 0.7)
    note += (note.empty() ? "" : "; ") + std::string("not 0.7 of the baseline");
  if (score.hits) note += fmt::format("{}{:.0f} % hits", note.empty() ? "" : "; ", *score.hits);
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(score.name), score.cases,
      amount(score.score, score.mean_abs_error), amount(score.score, score.median_abs_error),
      amount(score.score, score.p95_abs_error), baseline(),
      score.over_baseline ? fmt::format("{:.2f}", *score.over_baseline) : "", cell(note));
}

std::string miss_row(const ValidationRow& row) {
  return fmt::format("| {} | {} | {} {} | {} | {} | {} |\n", cell(row.mechanism), cell(row.title),
                     number_of(row.measured), row.unit, number_of(row.predicted),
                     error_text(row, row.error), row.cause.empty() ? "not known" : cell(row.cause));
}

}  // namespace

std::string to_board(const ValidationReport& report, const std::string& picture) {
  std::string out = fmt::format(
      "# Scoreboard\n\nWritten by `gpufeed validate --board`. {} cases are predicted, {} more have "
      "fed parameters and count in no score. Errors are means of their sizes, in percent of what "
      "was measured, in points, or counts. The ratio is that of the error to the baseline's, over "
      "the rows that have one: what anyone would say without a simulator.\n\n"
      "| mechanism | rows | mean | median | p95 | baseline | ratio | note |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      report.cases, report.fit_cases);
  for (const auto& score : report.mechanisms) out += score_row(score);
  if (report.pairs.pairs > 0) {
    out += fmt::format(
        "\nOf two configurations of one source that lie more than 5 % apart, the better is named "
        "rightly in {} of {} pairs.\n",
        report.pairs.right, report.pairs.pairs);
    for (const auto& pair : report.pairs.wrong) out += fmt::format("- wrong: {}\n", pair);
  }
  for (const auto& failure : report.failures)
    out += fmt::format("\nFAILED: {}: {}\n", failure.title, failure.message);
  out += fmt::format("\n![Predicted against measured]({})\n\n## The largest misses\n\n", picture);
  out +=
      "| mechanism | case | measured | predicted | error | cause |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const auto* row : largest_misses(report, kMisses)) out += miss_row(*row);
  return out;
}

}  // namespace gpufeed
