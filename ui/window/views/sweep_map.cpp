// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/sweep_parts.h"

namespace gpufeed::ui {
namespace {

/// From pale to Okabe and Ito's blue, or from dark to their sky blue: the more, the farther from
/// the background.
ImVec4 heat(double share, bool dark) {
  const ImVec4 low = dark ? ImVec4{0.12F, 0.16F, 0.21F, 1} : ImVec4{0.90F, 0.95F, 0.99F, 1};
  const ImVec4 high = dark ? ImVec4{0.34F, 0.71F, 0.91F, 1} : ImVec4{0.0F, 0.45F, 0.70F, 1};
  const auto part = static_cast<float>(std::clamp(share, 0.0, 1.0));
  return {low.x + part * (high.x - low.x), low.y + part * (high.y - low.y),
          low.z + part * (high.z - low.z), 1};
}

class HeatMap {
 public:
  HeatMap(Screen& screen, const Chart& chart, const Figure& figure)
      : screen_(screen), chart_(chart), figure_(figure) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (const auto& line : chart.lines)
      labels_ = std::max(labels_, ImGui::CalcTextSize(line.name.c_str()).x);
    labels_ = std::min(labels_, screen.px(200)) + screen.px(10);
    const float head = ImGui::GetTextLineHeightWithSpacing();
    from_ = {at.x + labels_, at.y + head};
    cell_ = {(room.x - labels_) / static_cast<float>(chart.x.size()),
             std::max(screen.px(18),
                      (room.y - 2 * head - screen.px(6)) /
                          static_cast<float>(std::max<std::size_t>(1, chart.lines.size())))};
  }

  void draw() {
    const float line = ImGui::GetTextLineHeight();
    label({from_.x - labels_, from_.y - ImGui::GetTextLineHeightWithSpacing()}, chart_.line_name,
          labels_ + cell_.x);
    for (std::size_t row = 0; row < chart_.lines.size(); ++row) {
      const float y = from_.y + static_cast<float>(row) * cell_.y;
      label({from_.x - labels_, y + (cell_.y - line) / 2}, chart_.lines[row].name,
            labels_ - screen_.px(6));
      for (std::size_t i = 0; i < chart_.lines[row].points.size(); ++i)
        draw_cell({from_.x + static_cast<float>(i) * cell_.x, y}, chart_.lines[row].points[i]);
    }
    const float below = from_.y + static_cast<float>(chart_.lines.size()) * cell_.y;
    for (std::size_t i = 0; i < chart_.x_texts.size(); ++i)
      label({from_.x + static_cast<float>(i) * cell_.x + screen_.px(6), below + screen_.px(3)},
            chart_.x_texts[i], cell_.x - screen_.px(8));
    ImGui::SetCursorScreenPos({from_.x, below + ImGui::GetTextLineHeightWithSpacing()});
    ImGui::Dummy({1, 1});
  }

 private:
  void label(ImVec2 at, const std::string& words, float room) const {
    ImGui::GetWindowDrawList()->AddText(
        at, packed(screen_.colors().dim),
        clipped_to(words, room, ImGui::GetFont(), ImGui::GetFontSize()).c_str());
  }

  void draw_cell(ImVec2 at, const ChartPoint& point) {
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(point.point));
    const bool pressed = ImGui::InvisibleButton("cell", cell_);
    const bool near = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    note(screen_, fmt::format("chart point {}", point.point));
    tooltip(screen_, words_of_point(screen_, point.point, figure_));
    ImGui::PopID();
    if (pressed && point.y) load_point(screen_, point.point);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + cell_.x - screen_.px(2), at.y + cell_.y - screen_.px(2)};
    const double share = point.y && chart_.high > chart_.low
                             ? (*point.y - chart_.low) / (chart_.high - chart_.low)
                             : 0.5;
    const ImVec4 color = point.y ? heat(share, screen_.view.dark) : screen_.colors().field;
    draw.AddRectFilled(at, end, packed(color), screen_.px(3));
    if (near) draw.AddRect(at, end, packed(screen_.colors().text), screen_.px(3));
    const std::string words =
        clipped_to(point.y ? figure_.words(*point.y) : "–", cell_.x - screen_.px(8),
                   ImGui::GetFont(), ImGui::GetFontSize());
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const bool pale = 0.3F * color.x + 0.6F * color.y + 0.1F * color.z > 0.45F;
    draw.AddText({(at.x + end.x - size.x) / 2, (at.y + end.y - size.y) / 2},
                 pale ? IM_COL32_BLACK : IM_COL32_WHITE, words.c_str());
  }

  Screen& screen_;
  const Chart& chart_;
  const Figure& figure_;
  float labels_ = 0;
  ImVec2 from_{}, cell_{};
};

}  // namespace

void draw_heat_map(Screen& screen, const Chart& chart, const Figure& figure) {
  HeatMap(screen, chart, figure).draw();
}

}  // namespace gpufeed::ui
