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
  const float size = font->FontSize * std::max(least, std::min(1.0F, room / std::max(wide, 1.0F)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x, at.y + (font->FontSize - size) / 2},
                                      packed(color_of(card.mood, screen.colors())),
                                      clipped_to(card.value, room, font, size).c_str());
  ImGui::Dummy({room, font->FontSize});
}

}  // namespace

void draw_cards(Screen& screen, const Result& result, float height) {
  const auto cards = cards_of(result);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const auto count = static_cast<float>(cards.size());
  // The bottleneck's words need more room than numbers do.
  const float unit = (ImGui::GetContentRegionAvail().x - gap * (count - 1)) / (count + 0.5F);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i];
    if (i > 0) ImGui::SameLine();
    const float width = card.title == "Bottleneck" ? 1.5F * unit : unit;
    ImGui::BeginChild(card.title.c_str(), {width, height}, true, ImGuiWindowFlags_NoScrollbar);
    dim_text(screen, card.title);
    draw_value(screen, card);
    clipped_text(screen, card.detail, true);
    ImGui::EndChild();
    tooltip(screen, card.title + ": " + card.value + "\n" + card.why);
  }
}

}  // namespace gpufeed::ui
