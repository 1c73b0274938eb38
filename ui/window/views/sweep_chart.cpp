// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/writers/key_words.h"
#include "reports/writers/phrase_book.h"
#include "ui/model/build/words.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/sweep_parts.h"

namespace gpufeed::ui {
namespace {

constexpr std::size_t kMostLines = 7;  ///< more colors cannot be told apart

/// A chart of lines in a rectangle of the screen.
class LineChart {
 public:
  LineChart(Screen& screen, const Chart& chart, const Figure& figure)
      : screen_(screen), chart_(chart), figure_(figure), ticks_(ticks_to(chart.high, 5)) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float labels = 0;
    for (const double tick : ticks_) labels = std::max(labels, width_of(figure_.words(tick)));
    from_ = {at.x + labels + screen_.px(10), at.y + screen_.px(8)};
    const float below = 2 * ImGui::GetTextLineHeightWithSpacing() + screen_.px(4);
    to_ = {at.x + room.x - legend_width() - screen_.px(24), at.y + room.y - below};
  }

  void draw() {
    if (to_.x - from_.x < screen_.px(60) || to_.y - from_.y < screen_.px(40)) return;
    draw_axes();
    for (std::size_t line = 0; line < chart_.lines.size(); ++line) draw_line(line);
    draw_legend();
    ImGui::SetCursorScreenPos({from_.x, to_.y});
  }

 private:
  static std::string in_legend(const ChartLine& line) {
    return line.failed ? line.name + ": cannot be built" : line.name;
  }
  static float width_of(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

  float legend_width() const {
    float width = 0;
    for (const auto& line : chart_.lines) width = std::max(width, width_of(in_legend(line)));
    if (chart_.line_name.empty()) return 0;
    width = std::max(width + screen_.px(26), width_of(chart_.line_name));
    return std::min(width, screen_.px(220)) + screen_.px(12);
  }

  float x_of(double value) const {
    const auto [low, high] = std::ranges::minmax(chart_.x);
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    const float inset = screen_.px(16);
    return from_.x + inset + static_cast<float>(share) * (to_.x - from_.x - 2 * inset);
  }
  float y_of(double value) const {
    return to_.y - static_cast<float>(value / ticks_.back()) * (to_.y - from_.y);
  }

  ImVec4 color_of(std::size_t line) const {
    static const std::array kOrder{0U, 1U, 6U, 2U, 4U, 5U, 3U};
    return chart_.lines.size() == 1 ? screen_.colors().accent
                                    : share_color(kOrder[line % kOrder.size()]);
  }

  void text_at(ImVec2 at, const std::string& text, bool dim = true) const {
    ImGui::GetWindowDrawList()->AddText(
        at, packed(dim ? screen_.colors().dim : screen_.colors().text), text.c_str());
  }

  void draw_axes() const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeight();
    for (const double tick : ticks_) {
      const float y = y_of(tick);
      draw.AddLine({from_.x, y}, {to_.x, y}, packed(screen_.colors().line));
      const std::string words = figure_.words(tick);
      text_at({from_.x - screen_.px(8) - width_of(words), y - line / 2}, words);
    }
    float free = from_.x - screen_.px(40);  // where the next label may begin
    for (std::size_t i = 0; i < chart_.x.size(); ++i) {
      const float x = x_of(chart_.x[i]);
      draw.AddLine({x, to_.y}, {x, to_.y + screen_.px(4)}, packed(screen_.colors().dim));
      const float width = width_of(chart_.x_texts[i]);
      const float begin = std::min(x - width / 2, to_.x + screen_.px(20) - width);
      if (begin < free) continue;
      text_at({begin, to_.y + screen_.px(5)}, chart_.x_texts[i]);
      free = begin + width + screen_.px(10);
    }
    text_at({(from_.x + to_.x - width_of(chart_.x_name)) / 2,
             to_.y + ImGui::GetTextLineHeightWithSpacing() + screen_.px(4)},
            chart_.x_name, false);
  }

  /// How many later lines have their `i`-th point in the same place: this one shows below them.
  std::size_t covers(std::size_t line, std::size_t i) const {
    std::size_t count = 0;
    for (std::size_t other = line + 1; other < chart_.lines.size(); ++other) {
      const auto& y = chart_.lines[other].points[i].y;
      count += y && std::abs(y_of(*y) - y_of(*chart_.lines[line].points[i].y)) < screen_.px(2);
    }
    return count;
  }

  void draw_line(std::size_t line) {
    constexpr float kWider = 3;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto& points = chart_.lines[line].points;
    const ImU32 color = packed(color_of(line));
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      if (points[i].y && points[i + 1].y)
        draw.AddLine({x_of(points[i].x), y_of(*points[i].y)},
                     {x_of(points[i + 1].x), y_of(*points[i + 1].y)}, color,
                     screen_.px(2 + kWider * static_cast<float>(
                                                 std::min(covers(line, i), covers(line, i + 1)))));
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i].y)
        draw_point(points[i], color, kWider * static_cast<float>(covers(line, i)) / 2);
  }

  void draw_point(const ChartPoint& point, ImU32 color, float wider) {
    const ImVec2 at{x_of(point.x), y_of(*point.y)};
    const float reach = screen_.px(8);
    ImGui::SetCursorScreenPos({at.x - reach, at.y - reach});
    ImGui::PushID(static_cast<int>(point.point));
    if (ImGui::InvisibleButton("point", {2 * reach, 2 * reach})) load_point(screen_, point.point);
    note(screen_, fmt::format("chart point {}", point.point));
    const bool near = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    tooltip(screen_, words_of_point(screen_, point.point, figure_));
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddCircleFilled(at, screen_.px((near ? 6.5F : 4) + wider), color);
  }

  void draw_legend() const {
    if (chart_.line_name.empty()) return;
    const float x = to_.x + screen_.px(16);
    const float most = screen_.px(220);
    const float size = ImGui::GetFontSize();
    const float step = ImGui::GetTextLineHeightWithSpacing();
    float y = from_.y;
    text_at({x, y}, clipped_to(chart_.line_name, most, ImGui::GetFont(), size), false);
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      y += step;
      if (y + step > to_.y + 2 * step) break;
      const float middle = y + ImGui::GetTextLineHeight() / 2;
      ImGui::GetWindowDrawList()->AddLine({x, middle}, {x + screen_.px(18), middle},
                                          packed(color_of(i)), screen_.px(3));
      text_at({x + screen_.px(26), y}, clipped_to(in_legend(chart_.lines[i]), most - screen_.px(26),
                                                  ImGui::GetFont(), size));
    }
  }

  Screen& screen_;
  const Chart& chart_;
  const Figure& figure_;
  std::vector<double> ticks_;
  ImVec2 from_{}, to_{};
};

void choose_figure(Screen& screen) {
  SweepState& state = screen.view.sweep;
  ImGui::SetNextItemWidth(screen.px(190));
  const bool open = ImGui::BeginCombo("##figure", figures()[state.figure].name);
  note(screen, "Figure");
  if (!open) return;
  const auto& points = screen.sweeper.points();
  for (std::size_t i = 0; i < figures().size(); ++i) {
    const auto has = [&](const SweptPoint& point) {
      return point.result && figures()[i].of(*point.result);
    };
    if (i != state.figure && std::ranges::none_of(points, has)) continue;
    if (list_item(screen, figures()[i].name, i == state.figure)) state.figure = i;
    tooltip(screen, figures()[i].help);
  }
  ImGui::EndCombo();
}

}  // namespace

std::string words_of_point(const Screen& screen, std::size_t point, const Figure& figure) {
  const SweepJob& job = screen.sweeper.job();
  const auto at = job.at(point);
  std::string words;
  for (std::size_t i = 0; i < job.axes.size(); ++i)
    words += fmt::format("{}: {}\n", key_as_title(job.axes[i].parameter.path),
                         without_quotes(job.axes[i].values[at[i]]));
  const SweptPoint& swept = screen.sweeper.points()[point];
  if (swept.state == SweptPoint::State::waiting) return words + "not simulated yet";
  if (!swept.result) return words + first_sentence(swept.problems);
  return words + fmt::format("{}: {}\nBottleneck: {}\nClick to load it; Undo leads back.",
                             figure.name, figure.text(*swept.result),
                             in_words(swept.result->bottleneck.resource));
}

void draw_sweep_chart(Screen& screen, ImVec2 size) {
  SweepState& state = screen.view.sweep;
  begin_panel(screen, "sweep chart", "", size);
  choose_figure(screen);
  const bool two = screen.sweeper.job().axes.size() > 1;
  const Figure& figure = figures()[state.figure];
  const Chart chart = chart_of(screen.sweeper.job(), screen.sweeper.points(), figure);
  const bool must_map = chart.lines.size() > kMostLines;
  const SweepDrawn drawn = !two && state.drawn == SweepDrawn::map         ? SweepDrawn::lines
                           : must_map && state.drawn == SweepDrawn::lines ? SweepDrawn::map
                                                                          : state.drawn;
  const auto choose_drawn = [&](const char* name, SweepDrawn as, const char* help) {
    ImGui::SameLine();
    if (ImGui::RadioButton(name, drawn == as)) state.drawn = as;
    note(screen, name);
    tooltip(screen, help);
  };
  ImGui::BeginDisabled(must_map);
  choose_drawn("Lines", SweepDrawn::lines, "The figure over what varies");
  ImGui::EndDisabled();
  if (two) choose_drawn("Map", SweepDrawn::map, "Two parameters as a map of colors");
  choose_drawn("Cost", SweepDrawn::cost, "The figure over dollars, and what nothing beats");
  ImGui::SameLine(0, screen.px(14));
  const bool old = screen.sweeper.is_old(screen.session.text());
  if (old) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    ImGui::TextUnformatted("Before the last changes:");
    ImGui::PopStyleColor();
    note(screen, "sweep is old");
    tooltip(screen, "The points are of the machine as it was; sweep again for the present one.");
    ImGui::SameLine();
  }
  clipped_text(
      screen,
      fmt::format("{} over {}", figure.name, drawn == SweepDrawn::cost ? "price" : chart.x_name),
      true);
  if (old) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55F);
  if (chart.high <= 0)
    dim_text(screen, screen.sweeper.running() ? "The first points are simulated…"
                                              : "No point has this figure.");
  else if (drawn == SweepDrawn::cost)
    draw_cost_curve(
        screen, cost_curve(screen.sweeper.points(), figure), figure,
        [&](std::size_t point) { return words_of_point(screen, point, figure); },
        [&](std::size_t point) { load_point(screen, point); });
  else if (drawn == SweepDrawn::map)
    draw_heat_map(screen, chart, figure);
  else
    LineChart(screen, chart, figure).draw();
  if (old) ImGui::PopStyleVar();
  end_panel();
}

}  // namespace gpufeed::ui
