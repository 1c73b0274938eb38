// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/sweep_parts.h"

namespace gpufeed::ui {
namespace {

/// Dollars along, the figure up.
class CostChart {
 public:
  CostChart(Screen& screen, const CostCurve& curve, const Figure& figure)
      : screen_(screen), curve_(curve), figure_(figure) {
    low_ = curve.points.front().price_USD;
    high_ = curve.points.back().price_USD;
    double most = 0;
    for (const CostPoint& point : curve.points) most = std::max(most, point.value);
    ticks_ = ticks_to(most, 5);
    float labels = 0;
    for (const double tick : ticks_) labels = std::max(labels, width_of(figure.words(tick)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    from_ = {at.x + labels + screen.px(10), at.y + screen.px(8)};
    to_ = {at.x + room.x - screen.px(24),
           at.y + room.y - 2 * ImGui::GetTextLineHeightWithSpacing() - screen.px(4)};
  }

  void draw(const std::function<std::string(std::size_t)>& words,
            const std::function<void(std::size_t)>& load) {
    if (to_.x - from_.x < screen_.px(60) || to_.y - from_.y < screen_.px(40)) return;
    draw_axes();
    draw_front();
    for (const CostPoint& point : curve_.points) draw_point(point, words, load);
    ImGui::SetCursorScreenPos({from_.x, to_.y});
  }

 private:
  static float width_of(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }
  float x_of(double price) const {
    const double share = high_ > low_ ? (price - low_) / (high_ - low_) : 0.5;
    const float inset = screen_.px(16);
    return from_.x + inset + static_cast<float>(share) * (to_.x - from_.x - 2 * inset);
  }
  float y_of(double value) const {
    return to_.y - static_cast<float>(value / ticks_.back()) * (to_.y - from_.y);
  }
  void text_at(ImVec2 at, const std::string& text) const {
    ImGui::GetWindowDrawList()->AddText(at, packed(screen_.colors().dim), text.c_str());
  }

  void draw_axes() const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (const double tick : ticks_) {
      const float y = y_of(tick);
      draw.AddLine({from_.x, y}, {to_.x, y}, packed(screen_.colors().line));
      const std::string words = figure_.words(tick);
      text_at({from_.x - screen_.px(8) - width_of(words), y - ImGui::GetTextLineHeight() / 2},
              words);
    }
    constexpr int kLabels = 4;
    for (int i = 0; i <= (high_ > low_ ? kLabels : 0); ++i) {
      const double price = low_ + (high_ - low_) * i / kLabels;
      const std::string words = text_number(price, 4);
      const float x = x_of(price) - width_of(words) / 2;
      text_at({std::clamp(x, from_.x, to_.x - width_of(words)), to_.y + screen_.px(5)}, words);
    }
    const std::string below = "Price in USD; the line joins what nothing beats for the money";
    const std::string shown =
        clipped_to(below, to_.x - from_.x, ImGui::GetFont(), ImGui::GetFontSize());
    text_at({(from_.x + to_.x - width_of(shown)) / 2,
             to_.y + ImGui::GetTextLineHeightWithSpacing() + screen_.px(4)},
            shown);
  }

  /// In steps: between two of its points nothing better than the cheaper one is to be had.
  void draw_front() const {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 color = packed(screen_.colors().accent);
    const CostPoint* last = nullptr;
    for (const CostPoint& point : curve_.points) {
      if (!point.on_front) continue;
      const ImVec2 to{x_of(point.price_USD), y_of(point.value)};
      if (last) {
        const ImVec2 corner{to.x, y_of(last->value)};
        draw.AddLine({x_of(last->price_USD), corner.y}, corner, color, screen_.px(2));
        draw.AddLine(corner, to, color, screen_.px(2));
      }
      last = &point;
    }
    if (last)
      draw.AddLine({x_of(last->price_USD), y_of(last->value)}, {to_.x, y_of(last->value)}, color,
                   screen_.px(1));
  }

  void draw_point(const CostPoint& point, const std::function<std::string(std::size_t)>& words,
                  const std::function<void(std::size_t)>& load) {
    const ImVec2 at{x_of(point.price_USD), y_of(point.value)};
    const float reach = screen_.px(8);
    ImGui::SetCursorScreenPos({at.x - reach, at.y - reach});
    ImGui::PushID(static_cast<int>(point.point));
    if (ImGui::InvisibleButton("cost", {2 * reach, 2 * reach})) load(point.point);
    note(screen_, fmt::format("cost point {}", point.point));
    const bool near = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    tooltip(screen_,
            fmt::format("{} USD{}\n{}", text_number(point.price_USD, 15),
                        point.on_front ? ", and nothing that costs no more gives more" : "",
                        words(point.point)));
    ImGui::PopID();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float radius = screen_.px(near ? 6.5F : 4.5F);
    const ImU32 color = packed(point.on_front ? screen_.colors().accent : screen_.colors().dim);
    if (point.on_front)
      draw.AddCircleFilled(at, radius, color);
    else
      draw.AddCircle(at, radius, color, 0, screen_.px(1.5F));
  }

  Screen& screen_;
  const CostCurve& curve_;
  const Figure& figure_;
  double low_ = 0, high_ = 0;
  std::vector<double> ticks_;
  ImVec2 from_{}, to_{};
};

}  // namespace

void draw_cost_curve(Screen& screen, const CostCurve& curve, const Figure& figure,
                     const std::function<std::string(std::size_t)>& words,
                     const std::function<void(std::size_t)>& load) {
  if (curve.without_price > 0)
    dim_text(screen, fmt::format("{} more have no whole price.", curve.without_price));
  if (curve.points.empty()) return dim_text(screen, "No point has a price and this figure.");
  CostChart(screen, curve, figure).draw(words, load);
}

}  // namespace gpufeed::ui
