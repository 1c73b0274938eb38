// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/clusters/cluster_study.h"
#include "reports/html/chart.h"
#include "reports/html/markup.h"
#include "reports/html/page.h"
#include "reports/writers/key_words.h"
#include "reports/writers/recommendation_text.h"
#include "sim/model/study/condition.h"

namespace gpufeed {
namespace {

constexpr std::size_t kMostLines = 6;
constexpr std::size_t kMostRows = 1000;

/// How a chart writes a figure: seconds as hours, shares in percent.
struct Scale {
  double factor = 1;
  std::string unit = {};
};

Scale scale_of(const std::string& figure) {
  const UnitTable* const units = units_of_figure(figure);
  if (units == &units_of<Seconds>()) return {1.0 / 3600, "h"};
  if (units == &units_of<Ratio>()) return {100, "%"};
  if (units == &units_of<Bytes>()) return {1e-12, "TB"};
  return {};
}

/// Plain numbers; nothing of a text or a number with a unit.
std::optional<double> number_in(const std::string& cell) {
  const Operand operand = operand_of(cell);
  const auto* const number = std::get_if<Measure>(&operand);
  return number && !number->units ? std::optional(number->value) : std::nullopt;
}

std::vector<std::string> values_of(const ClusterStudy& study, std::size_t axis) {
  std::vector<std::string> out;
  for (const ClusterRow& row : study.rows) {
    const std::string cell = cell_of(row.values[axis]);
    if (std::ranges::count(out, cell) == 0) out.push_back(cell);
  }
  return out;
}

std::string words_of(const ClusterRow& row, const std::string& figure) {
  return fmt::format("{}: {} {}{}", values_text(row.values), figure,
                     figure_text(figure, figure_in(row.figures, figure)),
                     row.meets ? ", meets all constraints" : "");
}

/// Over the first axis; with more than two axes, points instead of lines.
html::Chart chart_of(const ClusterStudy& study, const std::string& figure) {
  const auto& axes = study.rows.front().values;
  const Scale scale = scale_of(figure);
  html::Chart chart{figure + " over " + axes.front().axis,
                    axes.front().axis,
                    scale.unit.empty() ? figure : fmt::format("{} in {}", figure, scale.unit),
                    {},
                    {},
                    true};
  const auto first = values_of(study, 0);
  const bool numbers =
      std::ranges::all_of(first, [](const auto& cell) { return number_in(cell).has_value(); });
  if (!numbers) chart.categories = first;
  const auto second = axes.size() == 2 ? values_of(study, 1) : std::vector<std::string>{""};
  const bool lines = axes.size() <= 2 && second.size() <= kMostLines;
  const bool several = lines && axes.size() == 2;
  for (const auto& other : several ? second : std::vector<std::string>{""}) {
    html::Series series{several ? axes[1].axis + " " + other : "", {}, lines};
    for (const ClusterRow& row : study.rows) {
      const auto value = figure_in(row.figures, figure);
      if (!value || (several && cell_of(row.values[1]) != other)) continue;
      const std::string cell = cell_of(row.values.front());
      const auto place = std::ranges::find(first, cell) - first.begin();
      series.points.push_back({numbers ? *number_in(cell) : static_cast<double>(place),
                               *value * scale.factor, words_of(row, figure)});
    }
    std::ranges::stable_sort(series.points, {}, &html::ChartPoint::x);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string charts_of(const ClusterStudy& study) {
  std::string out;
  for (const std::string& figure : told_of(study)) {
    const html::Chart chart = chart_of(study, figure);
    if (!chart.series.empty()) out += html::element("h3", figure) + chart.markup();
  }
  return out;
}

/// Those that meet all first, the best first.
std::vector<std::size_t> in_order(const ClusterStudy& study) {
  std::vector<std::size_t> out = study.order;
  for (std::size_t i = 0; i < study.rows.size(); ++i)
    if (std::ranges::count(study.order, i) == 0) out.push_back(i);
  return out;
}

std::string table_of(const ClusterStudy& study) {
  html::Table table{"Choices", {}, {}, study.rows.front().values.size()};
  for (const ChosenValue& value : study.rows.front().values) table.columns.push_back(value.axis);
  const auto figures = told_of(study);
  std::ranges::copy(figures, std::back_inserter(table.columns));
  if (!study.constraints.empty()) table.columns.emplace_back("meets all");
  for (const std::size_t i : in_order(study)) {
    const ClusterRow& row = study.rows[i];
    if (row.figures.empty() || table.rows.size() == kMostRows) continue;
    std::vector<std::string> cells;
    for (const ChosenValue& value : row.values) cells.push_back(cell_of(value));
    for (const std::string& figure : figures)
      cells.push_back(figure_text(figure, figure_in(row.figures, figure)));
    if (!study.constraints.empty()) cells.emplace_back(row.meets ? "yes" : "no");
    table.rows.push_back(std::move(cells));
  }
  return table.markup();
}

std::string cards_of(const ClusterStudy& study) {
  if (study.aim.empty() || study.order.empty()) return "";
  const ClusterRow& best = study.rows[study.order.front()];
  std::string out;
  for (const ChosenValue& value : best.values)
    out += html::card(key_as_title(value.axis), cell_of(value), "chosen");
  for (const std::string& figure : told_of(study))
    out += html::card(as_title(figure_in_words(figure, units_of_figure(figure))),
                      figure_text(figure, figure_in(best.figures, figure)), "of it");
  return "<div class='cards'>" + out + "</div>\n";
}

}  // namespace

std::string to_html(const ClusterStudy& study, const html::PageHead& head) {
  return html::page(
      head, cards_of(study) + html::section("charts", "What the choices give", charts_of(study)) +
                html::section("choices", "Choices", table_of(study)) +
                html::section("text", "As text", html::element("pre", to_text(study))));
}

}  // namespace gpufeed
