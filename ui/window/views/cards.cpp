// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/cards.h"

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

ImVec4 color_of(Mood mood, const Palette& colors) {
  return mood == Mood::good ? colors.good : mood == Mood::poor ? colors.poor : colors.text;
}

/// In the large font, smaller where it would not fit.
void draw_value(const Screen& screen, const Card& card) {
  ImFont* const font = screen.fonts.large;
  const float room = ImGui::GetContentRegionAvail().x;
  const float wide = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, card.value.c_str()).x;
  const float least = 0.62F;
  constexpr float kRounding = 0.97F;  // letters are as wide as whole pixels
  const float fitting = kRounding * room / std::max(wide, 1.0F);
  const float size = font->FontSize * std::max(least, std::min(1.0F, fitting));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x, at.y + (font->FontSize - size) / 2},
                                      packed(color_of(card.mood, screen.colors())),
                                      clipped_to(card.value, room, font, size).c_str());
  ImGui::Dummy({room, font->FontSize});
}

/// Two lines, or one that goes on in the second.
void draw_details(const Screen& screen, const Card& card) {
  if (!card.more.empty()) {
    clipped_text(screen, card.detail, true);
    return clipped_text(screen, card.more, true);
  }
  ImGui::PushTextWrapPos(0);
  dim_text(screen, card.detail);
  ImGui::PopTextWrapPos();
}

}  // namespace

void draw_cards(Screen& screen, const Result& result) {
  const auto cards = cards_of(result);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  constexpr float kLeastForAll = 930;
  const std::size_t beside = room < screen.px(kLeastForAll) ? cards.size() / 2 : cards.size();
  const auto count = static_cast<float>(beside);
  const float height = screen.px(18) + screen.fonts.large->FontSize +
                       3 * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i];
    if (i % beside > 0) ImGui::SameLine();
    const float width = (room - gap * (count - 1)) / count;
    ImGui::BeginChild(card.title.c_str(), {width, height}, true,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    dim_text(screen, card.title);
    draw_value(screen, card);
    draw_details(screen, card);
    ImGui::EndChild();
    tooltip(screen, card.title + ": " + card.value + "\n" + card.why);
  }
}

}  // namespace gpufeed::ui
