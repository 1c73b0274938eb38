// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/layout.h"
#include "sim/base/units.h"
#include "ui/model/build/cluster_form.h"
#include "ui/model/decide/chart.h"
#include "ui/model/show/cluster_page.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/answer_parts.h"
#include "ui/window/views/views.h"

// A cluster that jobs share: what is there, and what it did with them.
namespace gpufeed::ui {
namespace {

/// Those of the text of the last frame, which most frames show again, and which may be long.
const std::vector<ServingGroup>& groups_of(const std::string& text) {
  static std::pair<std::string, std::vector<ServingGroup>> last;
  if (last.first != text) last = {text, cluster_groups(text)};
  return last.second;
}

void draw_cluster_form(Screen& screen, ImVec2 size) {
  begin_panel(screen, "cluster form", "Cluster", size);
  const std::vector<ServingGroup>& groups = groups_of(screen.session.text());
  for (const ServingGroup& group : groups) {
    strong_text(screen, group.heading);
    for (const ServingRow& row : group.rows) draw_row(screen, row);
    ImGui::Separator();
  }
  end_panel();
}

ImVec4 user_color(std::size_t user) {
  constexpr std::array<std::size_t, html::Gantt::kUserColors + 1> kOrder{0, 1, 6, 2, 4, 5};
  return share_color(kOrder[user % kOrder.size()]);
}

/// Dates below what spans the whole time.
void draw_dates(const Screen& screen, ImVec2 from, float width, double start_s, double length_s) {
  constexpr int kMarks = 4;
  for (int i = 0; i <= kMarks; ++i) {
    const double date = start_s + length_s * i / kMarks;
    const std::string words = date > 0 ? time_text(date) : "0";
    const float shift = ImGui::CalcTextSize(words.c_str()).x * static_cast<float>(i) / kMarks;
    ImGui::GetWindowDrawList()->AddText(
        {from.x + width * static_cast<float>(i) / kMarks - shift, from.y},
        packed(screen.colors().dim), words.c_str());
  }
}

void draw_pieces(Screen& screen, const html::Gantt& gantt, ImVec2 from, float width, float row) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const html::GanttPiece* here = nullptr;
  for (const html::GanttPiece& piece : gantt.pieces) {
    const ImVec2 begin{from.x + width * static_cast<float>(piece.from),
                       from.y + row * static_cast<float>(piece.top)};
    const ImVec2 end{std::max(begin.x + 1, from.x + width * static_cast<float>(piece.to)),
                     begin.y + row * static_cast<float>(piece.height)};
    draw.AddRectFilled(begin, {end.x, end.y - (gantt.is_map ? 0.0F : screen.px(0.5F))},
                       packed(user_color(piece.color), static_cast<float>(piece.strength)));
    if (piece.held_back)
      draw.AddRectFilled({begin.x, end.y - (end.y - begin.y) / 5}, end,
                         packed(screen.colors().text));
    if (mouse.x >= begin.x && mouse.x < end.x && mouse.y >= begin.y && mouse.y < end.y)
      here = &piece;
  }
  if (here && ImGui::IsItemHovered()) wrapped_tooltip(screen, here->words);
}

void draw_gantt(Screen& screen, const html::Gantt& gantt) {
  strong_text(screen, "Jobs on nodes");
  bool first = true;
  for (const auto& [user, color] : gantt.users)
    if (!gantt.is_map) {
      legend_entry(screen, user.empty() ? "nobody named" : user, user_color(color), first);
      first = false;
    }
  if (!gantt.is_map && gantt.has_others)
    legend_entry(screen, "other users", user_color(html::Gantt::kUserColors), first);
  wrapped_text(gantt.note);
  float names = 0;
  for (const std::string& name : gantt.rows)
    names = std::max(names, ImGui::CalcTextSize(name.c_str()).x);
  names += screen.px(10);
  const float row = std::max(ImGui::GetTextLineHeight() + screen.px(2), screen.px(18));
  const float width = ImGui::GetContentRegionAvail().x - names;
  const float height = row * static_cast<float>(gantt.rows.size());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (width < screen.px(40) || gantt.rows.empty()) return;
  ImGui::InvisibleButton("gantt", {names + width, height});
  note(screen, "Jobs on nodes");
  for (std::size_t i = 0; i < gantt.rows.size(); ++i)
    ImGui::GetWindowDrawList()->AddText({at.x, at.y + row * static_cast<float>(i)},
                                        packed(screen.colors().dim), gantt.rows[i].c_str());
  draw_pieces(screen, gantt, {at.x + names, at.y}, width, row);
  draw_dates(screen, {at.x + names, at.y + height}, width, gantt.start_s, gantt.length_s);
  ImGui::Dummy({0, ImGui::GetTextLineHeightWithSpacing()});
}

/// Lines over time, from 0 up.
void draw_lines(Screen& screen, const html::HeadedChart& headed) {
  const html::Chart& chart = headed.chart;
  strong_text(screen, headed.heading + ", " + chart.y_name);
  double low = 1e300, high = 0, most = 0;
  for (const auto& series : chart.series)
    for (const auto& point : series.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
      most = std::max(most, point.y);
    }
  for (std::size_t s = 0; chart.series.size() > 1 && s < chart.series.size(); ++s)
    legend_entry(screen, chart.series[s].name, user_color(s), s == 0);
  const auto ticks = ticks_to(most > 0 ? most : 1, 3);
  float labels = 0;
  for (const double tick : ticks)
    labels = std::max(labels, ImGui::CalcTextSize(text_number(tick, 3).c_str()).x);
  labels += screen.px(10);
  const float width = ImGui::GetContentRegionAvail().x - labels - screen.px(10);
  const float height = screen.px(110);
  if (width < screen.px(40)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(headed.heading.c_str(), {labels + width, height + screen.px(8)});
  note(screen, headed.heading);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto place = [&](double x, double y) {
    const double part = high > low ? (x - low) / (high - low) : 0.5;
    return ImVec2{at.x + labels + width * static_cast<float>(part),
                  at.y + screen.px(8) + height * static_cast<float>(1 - y / ticks.back())};
  };
  for (const double tick : ticks) {
    const ImVec2 left = place(low, tick);
    draw.AddLine(left, place(high, tick), packed(screen.colors().line));
    const std::string words = text_number(tick, 3);
    draw.AddText({left.x - screen.px(6) - ImGui::CalcTextSize(words.c_str()).x,
                  left.y - ImGui::GetTextLineHeight() / 2},
                 packed(screen.colors().dim), words.c_str());
  }
  const html::ChartPoint* nearest = nullptr;
  float distance = screen.px(30);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const auto& points = chart.series[s].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ImVec2 here = place(points[i].x, points[i].y);
      if (i > 0)
        draw.AddLine(place(points[i - 1].x, points[i - 1].y), here, packed(user_color(s)),
                     screen.px(2));
      const float away = std::hypot(here.x - mouse.x, here.y - mouse.y);
      if (away < distance) {
        distance = away;
        nearest = &points[i];
      }
    }
  }
  if (hovered && nearest) wrapped_tooltip(screen, nearest->words);
  constexpr double kHour = 3600;
  draw_dates(screen, {at.x + labels, at.y + height + screen.px(12)}, width, low * kHour,
             (high - low) * kHour);
  ImGui::Dummy({0, ImGui::GetTextLineHeightWithSpacing()});
}

const ClusterPage& page_of(Screen& screen) {
  ClusterState& state = screen.view.cluster;
  if (state.of != screen.session.shared())
    state = {screen.session.shared(), cluster_page(*screen.session.shared())};
  return state.page;
}

void draw_shared(Screen& screen, ImVec2 size) {
  const bool stale = screen.session.standing() != Standing::current;
  if (stale) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55F);
  begin_panel(screen, "shared", "What it does with its jobs", size);
  const ClusterPage& page = page_of(screen);
  draw_cards_of(screen, page.cards);
  draw_gantt(screen, page.gantt);
  for (const html::HeadedChart& chart : page.charts) draw_lines(screen, chart);
  ImGui::Spacing();
  for (const ServingTable& table : page.tables) draw_table(screen, table);
  end_panel();
  if (stale) ImGui::PopStyleVar();
}

}  // namespace

void draw_cluster(Screen& screen, ImVec2 size) {
  const float left = std::min(screen.px(370), size.x * 0.32F);
  draw_cluster_form(screen, {left, size.y});
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImVec2 room{size.x - left - ImGui::GetStyle().ItemSpacing.x, size.y};
  const bool answer = screen.session.shared() != nullptr;
  const bool wrong = screen.session.standing() == Standing::wrong;
  if (wrong && answer) {
    const float height = screen.px(180);
    draw_problems(screen, {room.x, height});
    room.y -= height + ImGui::GetStyle().ItemSpacing.y;
  }
  if (answer)
    draw_shared(screen, room);
  else if (wrong)
    draw_problems(screen, room);
  else
    draw_loading(screen, room);
  ImGui::EndGroup();
}

}  // namespace gpufeed::ui
