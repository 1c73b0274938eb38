// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "reports/writers/decision_text.h"
#include "reports/writers/terms.h"
#include "sim/model/scenario.h"
#include "ui/model/decide/advice_rows.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void dim_wrapped(const Screen& screen, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

std::string set_options(const WhatIfRow& change) {
  std::string out;
  for (const std::string& set : change.sets) out += (out.empty() ? "" : " ") + set_option(set);
  return out;
}

void draw_gain(const Screen& screen, const LeverRow& row) {
  const float height = ImGui::GetTextLineHeight();
  const float room = ImGui::GetContentRegionAvail().x - screen.px(76);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (row.share > 0) {
    const float width = std::max(screen.px(2), static_cast<float>(row.share) * room);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height},
                                              packed(screen.colors().accent), screen.px(3));
  }
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room + screen.px(8));
  if (row.share > 0)
    ImGui::TextUnformatted(row.gain.c_str());
  else
    dim_text(screen, row.gain);
}

void draw_levers(Screen& screen, const Advice& advice, ImVec2 size) {
  begin_panel(screen, "levers", "What 10 % more of each would give", size);
  tooltip(screen,
          "The same simulation, draw by draw, with a tenth more of one resource and all else as it "
          "is: the gain of throughput. None: no more than chance.");
  if (!advice.elasticity) {
    dim_text(screen, advice.problem.empty() ? "Finding out…" : advice.problem);
    return end_panel();
  }
  ImGui::PushTextWrapPos(0);
  dim_text(screen, binding_in_words(*advice.elasticity));
  ImGui::PopTextWrapPos();
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY;
  if (ImGui::BeginTable("levers", 3, flags)) {
    ImGui::TableSetupColumn("Of", ImGuiTableColumnFlags_WidthFixed, screen.px(130));
    ImGui::TableSetupColumn("Throughput", ImGuiTableColumnFlags_WidthStretch, 1.2F);
    ImGui::TableSetupColumn("Its parts", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    for (const LeverRow& row : lever_rows(*advice.elasticity)) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(row.resource.c_str());
      ImGui::TableNextColumn();
      draw_gain(screen, row);
      ImGui::TableNextColumn();
      dim_wrapped(screen, row.limited_by);
    }
    ImGui::EndTable();
  }
  end_panel();
}

struct Column {
  const char* name;
  float width;
};
/// The last ones are left out where there is no room.
constexpr std::array kColumns{Column{"Gain", 78}, Column{term::kGpuUtil.data(), 82},
                              Column{"Δ USD", 78}, Column{"Δ W", 78}, Column{"per 1000 USD", 100}};

/// How many of them leave the words enough room.
std::size_t columns_in(const Screen& screen, float width) {
  constexpr float kWords = 330;  ///< and the button
  float used = screen.px(kWords);
  std::size_t count = 0;
  while (count < kColumns.size() && used + screen.px(kColumns[count].width + 14) < width)
    used += screen.px(kColumns[count++].width + 14);
  return count;
}

void draw_change(Screen& screen, const WhatIfRow& change, const ChangeRow& row, bool can_try,
                 std::size_t columns) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(row.change.c_str());
  ImGui::BeginDisabled(!can_try);
  if (ImGui::SmallButton("Try it")) try_change(screen, change);
  note(screen, "Try " + row.change);
  ImGui::EndDisabled();
  tooltip(screen, can_try ? "Make this change; Undo takes it back"
                          : "The scenario's text cannot say it; gpufeed simulate can, with " +
                                set_options(change));
  ImGui::PopID();
  ImGui::TableNextColumn();
  wrapped_text(row.change);
  dim_wrapped(screen, row.why);
  const std::array<const std::string*, kColumns.size()> cells{&row.gain, &row.busy, &row.price,
                                                              &row.power, &row.worth};
  for (std::size_t i = 0; i < columns; ++i) {
    ImGui::TableNextColumn();
    if (cells[i]->empty())
      dim_text(screen, "–");
    else
      clipped_text(screen, *cells[i], false);
  }
}

void draw_changes(Screen& screen, const Advice& advice, ImVec2 size) {
  begin_panel(screen, "changes", "What one change would give", size);
  if (!advice.what_if) {
    dim_text(screen, advice.problem.empty() ? "Trying settings first, then parts of the catalog…"
                                            : advice.problem);
    return end_panel();
  }
  dim_wrapped(screen, tried_in_words(advice));
  const WhatIf what_if = *advice.what_if;  // trying one begins anew
  const std::vector<WhatIfRow> changes = shown_changes(what_if);
  if (what_if.rows.empty() && advice.parts_tried)
    ImGui::TextUnformatted("None makes it faster: the GPUs stay what they are.");
  const auto flags =
      ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY;
  const std::size_t columns = columns_in(screen, ImGui::GetContentRegionAvail().x);
  if (!changes.empty() && ImGui::BeginTable("changes", static_cast<int>(columns) + 2, flags)) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, screen.px(62));
    ImGui::TableSetupColumn("Change", ImGuiTableColumnFlags_WidthStretch, 1);
    for (std::size_t i = 0; i < columns; ++i)
      ImGui::TableSetupColumn(kColumns[i].name, ImGuiTableColumnFlags_WidthFixed,
                              screen.px(kColumns[i].width));
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    const std::vector<bool> can_try = advice.can_try;
    const auto rows = change_rows(what_if);
    for (std::size_t i = 0; i < rows.size(); ++i)
      draw_change(screen, changes[i], rows[i], can_try[i], columns);
    ImGui::EndTable();
  }
  end_panel();
}

}  // namespace

void try_change(Screen& screen, const WhatIfRow& change) {
  screen.session.apply([&](const std::string& text) { return with_change(text, change); });
}

void draw_what_if(Screen& screen, ImVec2 size) {
  if (!takes_advice(*screen.session.answered())) {
    begin_panel(screen, "what if", "What would make it faster?", size);
    dim_text(screen,
             "That is asked of training, emulated and loader; this work is of another kind.");
    return end_panel();
  }
  constexpr float kLeastForTwo = 1000;
  const Advice& advice = screen.adviser.advice();
  if (size.x < screen.px(kLeastForTwo)) {
    draw_changes(screen, advice, {size.x, screen.px(330)});
    return draw_levers(screen, advice, {size.x, screen.px(340)});
  }
  const float left = size.x * 0.62F;
  draw_changes(screen, advice, {left, size.y});
  ImGui::SameLine();
  draw_levers(screen, advice, {0, size.y});
}

void draw_advice_in_short(Screen& screen) {
  const Advice& advice = screen.adviser.advice();
  if (!takes_advice(*screen.session.answered())) return;
  ImGui::Spacing();
  strong_text(screen, "What would help");
  if (!advice.what_if)
    return dim_text(screen, advice.problem.empty() ? "Finding out…" : advice.problem);
  const WhatIf what_if = *advice.what_if;  // trying one begins anew
  if (what_if.rows.empty())
    return dim_text(screen, advice.parts_tried ? "No single change makes it faster."
                                               : "No setting; parts are still tried…");
  constexpr std::size_t kMost = 3;
  const auto rows = change_rows(what_if);
  const std::vector<bool> can_try = advice.can_try;
  for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::BeginDisabled(!can_try[i]);
    if (ImGui::SmallButton("Try it")) try_change(screen, what_if.rows[i]);
    note(screen, fmt::format("Try suggestion {}", i + 1));
    ImGui::EndDisabled();
    ImGui::PopID();
    ImGui::SameLine();
    wrapped_text(fmt::format("{}, {}: {}", rows[i].gain, price_in_words(rows[i]), rows[i].change));
    tooltip(screen, rows[i].change + "\n" + rows[i].why);
  }
}

}  // namespace gpufeed::ui
