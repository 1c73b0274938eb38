// SPDX-License-Identifier: Apache-2.0
#include "reports/html/validation_page.h"

#include <fmt/format.h>

#include "reports/html/markup.h"
#include "reports/writers/validation_words.h"

namespace gpufeed::html {
namespace {

std::string optional_amount(std::string_view score, const std::optional<double>& error) {
  return error ? amount(score, *error) : "";
}

std::vector<std::string> score_row(const std::string& name, const std::string& note,
                                   std::string_view score, const ErrorSummary& errors,
                                   const std::optional<Coverage>& coverage) {
  return {name,
          note,
          fmt::format("{}", errors.cases),
          amount(score, errors.mean_abs_error),
          amount(score, errors.median_abs_error),
          amount(score, errors.p95_abs_error),
          optional_amount(score, errors.left_out_mean_abs_error),
          baseline_text(score, errors),
          ratio_text(errors),
          coverage_text(coverage)};
}

/// A line for each mechanism, and below it those of its parts.
std::string scores(const ValidationReport& report) {
  Table table{"Errors by mechanism",
              {"mechanism", "", "rows", "mean error", "median", "95 % are below", "left out",
               "baseline", "error over it", "measured within P10 to P90"},
              {},
              2};
  for (const MechanismScore& score : report.mechanisms) {
    std::string note = verdict(score);
    for (const auto& bar : score.missed_bars) note += ": " + bar;
    if (score.hits) note += (note.empty() ? "" : "; ") + hits_text(score);
    table.rows.push_back(score_row(score.name, note, score.score, score, score.coverage));
    for (const auto& [part, errors] : parts_of(score))
      table.rows.push_back(
          score_row("of these: " + std::string(part), "", score.score, *errors, {}));
  }
  return table.markup();
}

std::string range_of(const ValidationRow& row) {
  if (!row.p10 || !row.p90) return "";
  return fmt::format("{} to {}", number_of(*row.p10), number_of(*row.p90));
}

Table rows_table(const ValidationReport& report, const MechanismScore& score) {
  Table table{score.name,
              {"case", "role", "unit", "cause of a miss", "source", "measured", "predicted",
               "error", "P10 to P90", "left out", "its error", "baseline's error"},
              {},
              5};
  for (const ValidationRow& row : report.rows)
    if (row.mechanism == score.name)
      table.rows.push_back({row.title, row.role, row.unit, row.cause, row.source,
                            number_of(row.measured), number_of(row.predicted),
                            error_text(row, row.error), range_of(row),
                            row.left_out ? number_of(*row.left_out) : "",
                            row.left_out_error ? error_text(row, *row.left_out_error) : "",
                            row.baseline_error ? error_text(row, *row.baseline_error) : ""});
  return table;
}

std::string overview(const ValidationReport& report) {
  std::string out = element(
      "p", fmt::format("{} cases; {} more have fed parameters: they are rings in the pictures, and "
                       "not scored.",
                       report.cases, report.fit_cases));
  if (const auto newest = newest_text(report); !newest.empty()) out += element("p", newest);
  if (report.coverage)
    out += element("p", "Measured values within the 80 % prediction intervals: " +
                            coverage_text(report.coverage) + ".");
  if (report.pairs.pairs > 0)
    out += element("p", fmt::format("The better of two configurations is named rightly in {} of {} "
                                    "pairs.",
                                    report.pairs.right, report.pairs.pairs));
  for (const auto& failure : report.failures)
    out += element("p", "Failed: " + failure.title + ": " + failure.message);
  return out + scores(report);
}

std::string plots(const ValidationReport& report) {
  std::string out;
  for (const MechanismScore& score : report.mechanisms) out += validation_plot(report, score);
  return "<div class='plots'>" + out + "</div>\n<p class='legend'>" +
         legend_entry("predict", "predicted") + legend_entry("ring", "has fed a parameter") +
         "</p>\n" +
         element("p",
                 "On the dashed line predicted and measured are equal. Axes are logarithmic "
                 "where values differ by more than 20.",
                 "class='dim'");
}

std::string rows(const ValidationReport& report) {
  std::string out;
  for (const MechanismScore& score : report.mechanisms)
    out += folded(score.name, rows_table(report, score).markup());
  return out;
}

}  // namespace

std::string to_html(const ValidationReport& report, const PageHead& head) {
  return page(head,
              section("scores", "How far off predictions are", overview(report)) +
                  section("plots", "Predicted against measured, by mechanism", plots(report)) +
                  section("rows", "Every measurement", rows(report)));
}

}  // namespace gpufeed::html
