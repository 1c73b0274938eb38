// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/writers/validation.h"
#include "reports/writers/validation_words.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMisses = 3;  ///< shown of a mechanism

/// Text of others, as it stands: neither a new cell nor a link, picture, code or tag.
std::string cell(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("|[]`\\").find(c) != std::string_view::npos) out += '\\';
    out += c == '<' ? "&lt;" : std::string(1, c);
  }
  return out;
}

std::string note_of(const MechanismScore& score) {
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  if (score.hits) add(hits_text(score));
  for (const auto& bar : score.missed_bars) add(bar);
  if (score.over_baseline && *score.over_baseline > 0.7) add("not 0.7 of the baseline");
  if (const auto all = common_to_all(score); !all.empty()) add(all);
  return note;
}

std::string score_row(const std::string& name, std::string_view score, const ErrorSummary& errors,
                      const std::string& ranges, const std::string& note) {
  const std::string left_out =
      errors.left_out_mean_abs_error ? amount(score, *errors.left_out_mean_abs_error) : "";
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(name),
                     errors.cases, left_out, amount(score, errors.mean_abs_error),
                     amount(score, errors.median_abs_error), amount(score, errors.p95_abs_error),
                     errors.baseline_mean_abs_error ? baseline_text(score, errors) : "none",
                     ratio_text(errors), ranges, cell(note));
}

/// A line for the mechanism, and below it those of its parts.
std::string score_rows(const MechanismScore& score) {
  std::string out =
      score_row(score.name, score.score, score, coverage_text(score.coverage), note_of(score));
  for (const auto& [name, errors] : parts_of(score))
    out += score_row(fmt::format("of these: {}", name), score.score, *errors, "", "");
  return out;
}

std::string miss_row(const ValidationRow& row) {
  return fmt::format("| {} | {} | {} {} | {} | {} | {} |\n", cell(row.mechanism), cell(row.title),
                     number_of(row.measured), cell(row.unit), number_of(row.predicted),
                     error_text(row, row.error), row.cause.empty() ? "not known" : cell(row.cause));
}

}  // namespace

std::string to_board(const ValidationReport& report, const std::string& picture) {
  std::string out = "# Scoreboard\n\n";
  if (const auto newest = newest_text(report); !newest.empty()) out += newest + "\n\n";
  out += fmt::format(
      "Written by `gpufeed validate --board`. {} cases are predicted, {} more have "
      "fed parameters and count in no score. Errors are means of their sizes, in percent of what "
      "was measured, in points, or counts. Left out: every row is predicted with fitted constants "
      "(bars.toml) that its {} has not fed; empty where the mechanism has none that can be "
      "refitted. The other columns are as given: with what scenarios and the catalog say. The "
      "ratio "
      "is that of the error to the baseline's, over the rows that have one: what anyone would say "
      "without a simulator. Intervals: how many of what was measured lie in the stated 80 % "
      "prediction interval, its median half width, and the same where every source counts once; "
      "below five sources that proves little.\n\n"
      "| mechanism | rows | left out | mean | median | p95 | baseline | ratio | intervals | note "
      "|\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      report.cases, report.fit_cases, report.left_out.empty() ? "system" : report.left_out);
  for (const auto& score : report.mechanisms) out += score_rows(score);
  if (report.coverage)
    out += fmt::format("\nOf all prediction intervals: {}; interval score {}.\n",
                       coverage_text(report.coverage),
                       text_number(report.coverage->interval_score, 3));
  if (report.pairs.pairs > 0) {
    out += fmt::format(
        "\nOf two configurations of one source that lie more than 5 % apart, the better is named "
        "rightly in {} of {} pairs.\n",
        report.pairs.right, report.pairs.pairs);
    for (const auto& pair : report.pairs.wrong) out += fmt::format("- wrong: {}\n", cell(pair));
  }
  for (const auto& failure : report.failures)
    out += fmt::format("\nFAILED: {}: {}\n", cell(failure.title), cell(failure.message));
  out += fmt::format("\n![Predicted against measured]({})\n\n## The largest misses\n\n", picture);
  out +=
      "| mechanism | case | measured | predicted | error | cause |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const auto* row : largest_misses(report, kMisses)) out += miss_row(*row);
  return out;
}

}  // namespace gpufeed
