// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/model/build/serving_form.h"
#include "ui/model/show/serving_page.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

// An engine that serves a language model: what is asked of it, and what it does.
namespace gpufeed::ui {
namespace {

constexpr float kServingLabels = 126;  ///< their room

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

void draw_new_tiers(Screen& screen) {
  dim_text(screen, "KV caches also in");
  const auto add = [&](const char* label, TierChoice choice) {
    if (button(screen, label))
      screen.session.apply([&](const std::string& text) { return with_tier(text, choice); });
  };
  add("+ memory", TierChoice::memory);
  ImGui::SameLine();
  add("+ drive", TierChoice::drive);
  ImGui::SameLine();
  add("+ store", TierChoice::store);
}

void draw_serving_form(Screen& screen, ImVec2 size) {
  begin_panel(screen, "serving form", "Serving", size);
  for (const ServingGroup& group : serving_groups(screen.session.text())) {
    strong_text(screen, group.heading);
    for (const ServingRow& row : group.rows) draw_row(screen, row);
    if (group.tier >= 0) {
      const std::string label = "Remove tier " + std::to_string(group.tier + 1);
      if (button(screen, label.c_str()))
        screen.session.apply([&](const std::string& text) {
          return without_tier(text, static_cast<std::size_t>(group.tier));
        });
    }
    ImGui::Separator();
  }
  draw_new_tiers(screen);
  end_panel();
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
                            i == 0 ? 2.4F : 1.0F);
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

void draw_answer_of(Screen& screen, const serving::Answer& answer, ImVec2 size) {
  const bool stale = screen.session.standing() != Standing::current;
  if (stale) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55F);
  begin_panel(screen, "served", "What it attains", size);
  const ServingPage page = serving_page(answer);
  draw_cards_of(screen, page.cards);
  for (const std::string& words : page.words) wrapped_text(words);
  ImGui::Spacing();
  for (const ServingTable& table : page.tables) draw_table(screen, table);
  end_panel();
  if (stale) ImGui::PopStyleVar();
}

}  // namespace

void draw_serving(Screen& screen, ImVec2 size) {
  const float left = std::min(screen.px(370), size.x * 0.32F);
  draw_serving_form(screen, {left, size.y});
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImVec2 room{size.x - left - ImGui::GetStyle().ItemSpacing.x, size.y};
  const std::shared_ptr<const serving::Answer> answer = screen.session.served();
  const bool wrong = screen.session.standing() == Standing::wrong;
  if (wrong && answer) {
    const float height = screen.px(180);
    draw_problems(screen, {room.x, height});
    room.y -= height + ImGui::GetStyle().ItemSpacing.y;
  }
  if (answer)
    draw_answer_of(screen, *answer, room);
  else if (wrong)
    draw_problems(screen, room);
  else
    draw_loading(screen, room);
  ImGui::EndGroup();
}

}  // namespace gpufeed::ui
