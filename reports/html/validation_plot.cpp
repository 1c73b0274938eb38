// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/html/markup.h"
#include "reports/html/validation_page.h"
#include "reports/writers/validation_words.h"

namespace gpufeed::html {
namespace {

constexpr double kSide = 220;   ///< of a plot, in pixels
constexpr double kStep = 270;   ///< from one plot to the next
constexpr double kAround = 40;  ///< left of and above a plot
constexpr std::size_t kColumns = 4;

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

/// The plot's square begins at 0, 0; words stand above and below it.
std::string plot(const MechanismScore& score, const Rows& rows) {
  const Scale scale = scale_of(rows);
  std::string out = fmt::format(
      "<rect width='{0}' height='{0}' class='frame'/>\n"
      "<line x1='0' y1='{0}' x2='{0}' y2='0' class='equal'/>\n{1}"
      "<text x='0' y='-5'>{2} rows, mean error {3}</text>\n"
      "<text x='0' y='{4}'>{5}</text><text x='{0}' y='{4}' text-anchor='end'>{6} {7}</text>\n",
      kSide, heading(score.name), score.cases, amount(score.score, score.mean_abs_error),
      kSide + 14, number_of(scale.low), number_of(scale.high), escaped(rows.front()->unit));
  for (const auto* row : rows) out += dot(*row, scale);
  return out;
}

Rows rows_of(const ValidationReport& report, const MechanismScore& score) {
  Rows rows;
  for (const auto& row : report.rows)
    if (row.mechanism == score.name) rows.push_back(&row);
  return rows;
}

}  // namespace

std::string validation_plot(const ValidationReport& report, const MechanismScore& score) {
  const Rows rows = rows_of(report, score);
  if (rows.empty()) return "";
  constexpr double kLeft = 8, kTop = 48, kBelow = 24;
  return fmt::format(
      "<svg class='chart' role='img' aria-label='{}: predicted against measured' viewBox='{} {} "
      "{} {}' font-size='10'>\n{}</svg>\n",
      escaped(score.name), -kLeft, -kTop, kSide + 2 * kLeft, kSide + kTop + kBelow,
      plot(score, rows));
}

std::string to_svg(const ValidationReport& report) {
  std::string plots;
  std::size_t number = 0;
  for (const auto& score : report.mechanisms) {
    const std::size_t line = number / kColumns;
    plots += fmt::format("<g transform='translate({} {})'>\n{}</g>\n",
                         kAround + kStep * static_cast<double>(number % kColumns),
                         kAround + (kStep + 20) * static_cast<double>(line),
                         plot(score, rows_of(report, score)));
    ++number;
  }
  const std::size_t lines = (number + kColumns - 1) / kColumns;
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' "
             "font-family='sans-serif' font-size='10'>\n"
             "<style>.frame{{fill:#fafafa;stroke:#999}}.equal{{stroke:#999;stroke-dasharray:4}}"
             ".predict{{fill:#1f6fb2;fill-opacity:.6}}.fit{{fill:none;stroke:#b26b1f}}"
             ".name{{font-weight:bold;font-size:11px}}</style>\n"
             "<rect width='100%' height='100%' fill='white'/>\n",
             kAround + kStep * static_cast<double>(kColumns),
             kAround + (kStep + 20) * static_cast<double>(lines)) +
         plots + "</svg>\n";
}

}  // namespace gpufeed::html
