// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/writers/validation.h"
#include "reports/writers/validation_words.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

constexpr double kSide = 220;   ///< of a plot, in pixels
constexpr double kStep = 270;   ///< from one plot to the next
constexpr double kMargin = 40;  ///< left of and above a plot
constexpr std::size_t kColumns = 4;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// A scale that both axes of a plot share; logarithmic where values differ by more than 20.
struct Scale {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool logarithmic = false;

  double place(double value) const {
    const double part =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return part * kSide;
  }
};

using Rows = std::vector<const ValidationRow*>;

Scale scale_of(const Rows& rows) {
  Scale scale;
  for (const auto* row : rows) {
    scale.low = std::min({scale.low, row->measured, row->predicted});
    scale.high = std::max({scale.high, row->measured, row->predicted});
  }
  scale.logarithmic = scale.low > 0 && scale.high > 20 * scale.low;
  const double room = 0.05 * (scale.high - scale.low) + 1e-9 * std::abs(scale.high) + 1e-12;
  if (scale.logarithmic) {
    scale.low /= 1.2;
    scale.high *= 1.2;
  } else {
    scale.low -= room;
    scale.high += room;
  }
  return scale;
}

std::string dot(const ValidationRow& row, const Scale& scale) {
  return fmt::format(
      "<circle cx='{:.1f}' cy='{:.1f}' r='3.5' class='{}'><title>{}: measured {} {}, predicted "
      "{} ({})</title></circle>\n",
      scale.place(row.measured), kSide - scale.place(row.predicted), row.role, escaped(row.title),
      number_of(row.measured), escaped(row.unit), number_of(row.predicted),
      error_text(row, row.error));
}

/// As many letters as fit over a plot, the rest on a line below.
std::string heading(const std::string& name) {
  constexpr std::size_t kFit = 34;
  const std::size_t space = name.size() <= kFit ? std::string::npos : name.rfind(' ', kFit);
  const auto line = [](int y, const std::string& text) {
    return fmt::format("<text x='0' y='{}' class='name'>{}</text>\n", y, escaped(text));
  };
  if (space == std::string::npos) return line(-18, name);
  return line(-31, name.substr(0, space)) + line(-18, name.substr(space + 1));
}

std::string plot(const MechanismScore& score, const Rows& rows, std::size_t number) {
  const Scale scale = scale_of(rows);
  const std::size_t line = number / kColumns;
  std::string out = fmt::format(
      "<g transform='translate({} {})'>\n<rect width='{}' height='{}' class='frame'/>\n"
      "<line x1='0' y1='{}' x2='{}' y2='0' class='equal'/>\n"
      "{}"
      "<text x='0' y='-5'>{} rows, mean error {}</text>\n"
      "<text x='0' y='{}'>{}</text><text x='{}' y='{}' text-anchor='end'>{} {}</text>\n",
      kMargin + kStep * static_cast<double>(number % kColumns),
      kMargin + (kStep + 20) * static_cast<double>(line), kSide, kSide, kSide, kSide,
      heading(score.name), score.cases, amount(score.score, score.mean_abs_error), kSide + 14,
      number_of(scale.low), kSide, kSide + 14, number_of(scale.high), escaped(rows.front()->unit));
  for (const auto* row : rows) out += dot(*row, scale);
  return out + "</g>\n";
}

std::string html_row(const ValidationRow& row) {
  return fmt::format(
      "<tr class='{}'><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td><td>{}</td></tr>\n",
      row.role, escaped(row.mechanism), escaped(row.title), number_of(row.measured),
      number_of(row.predicted), escaped(row.unit), error_text(row, row.error),
      row.baseline_error ? error_text(row, *row.baseline_error) : "", escaped(row.cause));
}

std::string html_score(std::string_view row_class, const std::string& name, std::string_view score,
                       const ErrorSummary& errors, const std::string& note) {
  return fmt::format(
      "<tr class='{}'><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      row_class, escaped(name), errors.cases, amount(score, errors.mean_abs_error),
      amount(score, errors.p95_abs_error), baseline_text(score, errors), note);
}

/// A line for the mechanism, and below it those of its parts.
std::string html_scores(const MechanismScore& score) {
  std::string note = verdict(score);
  if (score.hits) note += (note.empty() ? "" : "; ") + hits_text(score);
  std::string out = html_score("", score.name, score.score, score, note);
  for (const auto& [name, errors] : parts_of(score))
    out += html_score("part", std::string(name), score.score, *errors, "");
  return out;
}

}  // namespace

std::string to_svg(const ValidationReport& report) {
  std::string plots;
  std::size_t number = 0;
  for (const auto& score : report.mechanisms) {
    Rows rows;
    for (const auto& row : report.rows)
      if (row.mechanism == score.name) rows.push_back(&row);
    plots += plot(score, rows, number++);
  }
  const std::size_t lines = (number + kColumns - 1) / kColumns;
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' "
             "font-family='sans-serif' font-size='10'>\n"
             "<style>.frame{{fill:#fafafa;stroke:#999}}.equal{{stroke:#999;stroke-dasharray:4}}"
             ".predict{{fill:#1f6fb2;fill-opacity:.6}}.fit{{fill:none;stroke:#b26b1f}}"
             ".name{{font-weight:bold;font-size:11px}}</style>\n"
             "<rect width='100%' height='100%' fill='white'/>\n",
             kMargin + kStep * static_cast<double>(kColumns),
             kMargin + (kStep + 20) * static_cast<double>(lines)) +
         plots + "</svg>\n";
}

std::string to_html(const ValidationReport& report) {
  std::string out =
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>gpufeed: predicted "
      "against measured</title>\n<style>body{font-family:sans-serif;margin:2em}"
      "table{border-collapse:collapse;font-size:13px}td,th{padding:2px 8px;border-bottom:1px solid "
      "#ddd;text-align:left}tr.fit{color:#999}"
      "tr.part{color:#555}tr.part td:first-child{padding-left:2em}</style></head><body>\n"
      "<h1>Predicted against measured</h1>\n";
  out += fmt::format(
      "<p>{} cases; {} more have fed parameters (rings, and grey in the table; not scored).</p>\n",
      report.cases, report.fit_cases);
  for (const auto& failure : report.failures)
    out += fmt::format("<p><b>Failed: {}</b>: {}</p>\n", escaped(failure.title),
                       escaped(failure.message));
  out +=
      "<table><tr><th>mechanism</th><th>rows</th><th>mean error</th><th>p95</th>"
      "<th>baseline</th><th></th></tr>\n";
  for (const auto& score : report.mechanisms) out += html_scores(score);
  out += "</table>\n" + to_svg(report);
  out +=
      "<table><tr><th>mechanism</th><th>case</th><th>measured</th><th>predicted</th><th>unit</th>"
      "<th>error</th><th>baseline</th><th>cause</th></tr>\n";
  for (const auto& row : report.rows) out += html_row(row);
  return out + "</table>\n</body></html>\n";
}

}  // namespace gpufeed
