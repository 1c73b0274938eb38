// SPDX-License-Identifier: Apache-2.0
#include "reports/html/gantt.h"

#include <fmt/format.h>

#include "reports/html/lane_axis.h"
#include "reports/html/markup.h"
#include "reports/writers/layout.h"

namespace gpufeed::html {
namespace {

constexpr double kLane = 20;  ///< height of a node

std::string axis_of(const Gantt& gantt) {
  return lane_axis([&](double place) {
    const double date = gantt.start_s + place * gantt.length_s;
    return date > 0 ? time_text(date) : std::string("0");
  });
}

std::string legend_of(const Gantt& gantt) {
  std::string out;
  for (const auto& [user, color] : gantt.users)
    out += legend_entry(fmt::format("series{}", color), user.empty() ? "nobody named" : user);
  if (gantt.has_others)
    out += legend_entry(fmt::format("series{}", Gantt::kUserColors), "other users");
  return out.empty() ? out : "<p class='legend'>" + out + "</p>\n";
}

std::string markup_of(const Gantt& gantt, const GanttPiece& piece) {
  const double from = kLaneWidth * piece.from;
  const double width = kLaneWidth * (piece.to - piece.from);
  const double top = kLane * piece.top;
  const double height = kLane * piece.height;
  constexpr double kDrawn = 0.94;  ///< of a job's height, so that two are told apart
  std::string out = fmt::format(
      "<rect class='{}' stroke-width='0' fill-opacity='{:.2f}' x='{:.1f}' y='{:.2f}' "
      "width='{:.1f}' height='{:.2f}'><title>{}</title></rect>",
      gantt.is_map ? "compute" : fmt::format("series{}", piece.color), piece.strength, from, top,
      width, gantt.is_map ? height : height * kDrawn, escaped(piece.words));
  if (piece.held_back)
    out += fmt::format(
        "<rect fill='currentColor' x='{:.1f}' y='{:.2f}' width='{:.1f}' height='{:.2f}'/>", from,
        top + height * 0.74, width, height * 0.2);
  return out;
}

}  // namespace

std::string gantt_chart(const cluster::Answer& answer) {
  const Gantt gantt = gantt_of(answer);
  std::string names, drawn;
  for (const std::string& row : gantt.rows) names += element("div", row);
  for (const GanttPiece& piece : gantt.pieces) drawn += markup_of(gantt, piece);
  const double height = kLane * static_cast<double>(gantt.rows.size());
  return (gantt.is_map ? "" : legend_of(gantt)) + element("p", gantt.note) +
         scrolling("Jobs on nodes over time",
                   fmt::format("<div class='lanes'><div class='names'>{}</div>\n<svg viewBox='0 0 "
                               "{} {}' height='{}' preserveAspectRatio='none' role='img' "
                               "aria-label='Jobs on nodes over time'>{}</svg>\n<div "
                               "class='axis'>{}</div></div>\n",
                               names, kLaneWidth, height, height, drawn, axis_of(gantt)));
}

}  // namespace gpufeed::html
