// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/headline_rows.h"

#include <algorithm>
#include <cmath>

#include "reports/writers/comparison_text.h"
#include "reports/writers/headlines.h"

namespace gpufeed::ui {
namespace {

using Figures = std::vector<ComparedFigure>;

const ComparedFigure* named(const Figures& figures, const std::string& name) {
  const auto found = std::ranges::find(figures, name, &ComparedFigure::name);
  return found == figures.end() ? nullptr : &*found;
}

bool beats(const ComparedFigure& one, const ComparedFigure& other) {
  const double gain = one.more_is_better ? one.value - other.value : other.value - one.value;
  return gain >
         std::hypot(one.noise, other.noise) * std::max(std::abs(one.value), std::abs(other.value));
}

std::optional<std::size_t> best_of(const std::vector<const ComparedFigure*>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool best = std::ranges::all_of(all, [&](const ComparedFigure* other) {
      return other == all[i] || (other && all[i] && beats(*all[i], *other));
    });
    if (best && all.size() > 1) return i;
  }
  return {};
}

ComparedRow row_of(const std::string& name, const std::vector<Figures>& all) {
  ComparedRow row{name, "", {}, {}, {}, false};
  std::vector<const ComparedFigure*> figures;
  figures.reserve(all.size());
  for (const Figures& one : all) figures.push_back(named(one, name));
  for (const ComparedFigure* figure : figures) {
    row.values.push_back(figure ? figure_text(*figure) : "–");
    const ComparedFigure* const first = figures.front();
    const bool other = figure && first && figure != first && first->value > 0;
    row.changes.push_back(other ? change_against(figure->value, first->value) : "");
  }
  row.better = best_of(figures);
  return row;
}

}  // namespace

std::vector<ComparedRow> headline_rows(const std::vector<Candidate>& candidates) {
  std::vector<Figures> all;
  all.reserve(candidates.size());
  for (const Candidate& one : candidates) all.push_back(headlines_of(*one.result));
  std::vector<ComparedRow> rows;
  for (const Figures& figures : all)
    for (const ComparedFigure& figure : figures)
      if (std::ranges::count(rows, figure.name, &ComparedRow::name) == 0)
        rows.push_back(row_of(figure.name, all));
  return rows;
}

}  // namespace gpufeed::ui
