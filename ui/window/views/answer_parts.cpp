// SPDX-License-Identifier: Apache-2.0
#include "ui/window/views/answer_parts.h"

#include "ui/model/build/setting_rows.h"
#include "ui/window/kit/widgets.h"

namespace gpufeed::ui {
namespace {

constexpr float kServingLabels = 126;  ///< their room

}  // namespace

void draw_row(Screen& screen, const ServingRow& row) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, row.label);
  tooltip(screen, row.help + " (" + row.path + ")");
  ImGui::SameLine(screen.px(kServingLabels));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const auto typed = value_field(screen, row.path, row.value);
  if (!typed) return;
  if (typed->empty())
    screen.session.reset(own_path(row.path));
  else
    screen.session.edit_words(own_path(row.path), *typed);
}

void draw_cards_of(Screen& screen, const std::vector<ServingCard>& cards) {
  constexpr int kInARow = 3;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - (kInARow - 1) * gap) / kInARow;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const ServingCard& card = cards[i];
    if (i % kInARow != 0) ImGui::SameLine();
    ImGui::BeginChild(card.name.c_str(), {width, screen.px(92)}, true);
    dim_text(screen, card.name);
    ImGui::PushFont(screen.fonts.large);
    if (card.misses) ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    ImGui::TextUnformatted(card.value.c_str());
    if (card.misses) ImGui::PopStyleColor();
    ImGui::PopFont();
    clipped_text(screen, card.note, true);
    ImGui::EndChild();
    note(screen, "card " + card.name);
  }
}

void draw_table(Screen& screen, const ServingTable& table) {
  strong_text(screen, table.title);
  const auto columns = static_cast<int>(table.heads.size());
  if (!ImGui::BeginTable(table.title.c_str(), columns,
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH))
    return;
  for (std::size_t i = 0; i < table.heads.size(); ++i)
    ImGui::TableSetupColumn(table.heads[i].c_str(), ImGuiTableColumnFlags_WidthStretch,
                            i > 0         ? 1.0F
                            : columns < 7 ? 2.6F
                                          : 1.8F);
  ImGui::TableHeadersRow();
  for (const auto& row : table.rows) {
    ImGui::TableNextRow();
    for (const std::string& cell : row) {
      ImGui::TableNextColumn();
      clipped_text(screen, cell, false);
    }
  }
  ImGui::EndTable();
  note(screen, table.title);
  ImGui::Spacing();
}

}  // namespace gpufeed::ui
