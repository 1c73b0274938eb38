// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/model/build/serving_form.h"
#include "ui/model/show/serving_page.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/answer_parts.h"
#include "ui/window/views/views.h"

// An engine that serves a language model: what is asked of it, and what it does.
namespace gpufeed::ui {
namespace {

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
