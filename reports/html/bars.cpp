// SPDX-License-Identifier: Apache-2.0
#include "reports/html/bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/markup.h"

namespace gpufeed::html {

std::string bar_row(const BarRow& row) {
  constexpr double kWidth = 1000;
  std::string bars;
  std::string told;
  double x = 0;
  for (const BarPart& part : row.parts) {
    if (part.share <= 0) continue;
    const double width = kWidth * std::min(part.share, 1 - x / kWidth);
    bars += fmt::format(
        "<rect class='{}' x='{:.2f}' width='{:.2f}' height='22'><title>{}</title></rect>",
        part.color, x, std::max(0.0, width), escaped(part.words));
    told += (told.empty() ? "" : "; ") + part.words;
    x += std::max(0.0, width);
  }
  return fmt::format(
      "<div class='row'><div class='label'>{}{}</div>\n<svg class='bar' viewBox='0 0 {} 22' "
      "preserveAspectRatio='none' role='img' aria-label='{}'>{}</svg>\n<div class='value'>{}</div>"
      "</div>\n",
      escaped(row.label), row.note.empty() ? "" : "<br/>" + element("small", row.note), kWidth,
      escaped(told.empty() ? "nothing" : told), bars, escaped(row.value));
}

}  // namespace gpufeed::html
