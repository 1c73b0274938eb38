// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void refresh(Screen& screen) {
  CompareState& state = screen.view.compare;
  std::string letters;
  for (const Pin& pin : state.pins.all()) letters += pin.letter;
  if (state.version == screen.session.version() && state.letters == letters) return;
  state.version = screen.session.version();
  state.letters = letters;
  state.comparison = compare(candidates_of(screen.session, state.pins));
}

/// "A" and what it was called.
std::string name_of(const Pin& pin) { return fmt::format("{}: {}", pin.letter, pin.title); }

void draw_head(Screen& screen) {
  Pins& pins = screen.view.compare.pins;
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  strong_text(screen, "Now");
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < pins.all().size(); ++i) {
    const Pin& pin = pins.all()[i];
    ImGui::TableNextColumn();
    ImGui::PushID(pin.letter);
    const bool is_now = pin.text == screen.session.text();
    clipped_text(screen, name_of(pin), false);
    ImGui::PushStyleColor(ImGuiCol_Button, screen.colors().panel);
    ImGui::BeginDisabled(is_now);
    if (ImGui::SmallButton("Load")) screen.session.change_to(pin.text);
    note(screen, fmt::format("Load {}", pin.letter));
    ImGui::EndDisabled();
    tooltip(screen, is_now ? "This is what is open." : "Open it again; Undo leads back");
    ImGui::SameLine();
    if (ImGui::SmallButton("Remove")) removed = i;
    note(screen, fmt::format("Remove {}", pin.letter));
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  if (removed) pins.remove(*removed);
}

void draw_value(const Screen& screen, const ComparedRow& row, std::size_t i) {
  ImGui::TableNextColumn();
  const bool best = row.better == i;
  if (best) ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().good);
  const std::string words = (best ? "● " : "") + row.values[i];
  const std::string change = i < row.changes.size() ? row.changes[i] : "";
  const float gap = screen.px(12);
  const float both =
      ImGui::CalcTextSize(words.c_str()).x + gap + ImGui::CalcTextSize(change.c_str()).x;
  const bool beside = both < ImGui::GetContentRegionAvail().x;
  clipped_text(screen, words, false);
  if (!change.empty()) {
    if (beside) ImGui::SameLine(0, gap);
    clipped_text(screen, change, false);
  }
  if (best) ImGui::PopStyleColor();
}

void draw_rows(const Screen& screen, const char* title, const std::vector<ComparedRow>& rows) {
  bool any = false;
  for (const ComparedRow& row : rows) {
    if (!row.changed && !screen.view.compare.all_rows) continue;
    if (!any) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      dim_text(screen, title);
    }
    any = true;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    clipped_text(screen, row.name, !row.changed);
    if (!row.help.empty()) tooltip(screen, row.name + ": " + row.help);
    for (std::size_t i = 0; i < row.values.size(); ++i) draw_value(screen, row, i);
  }
}

void draw_table(Screen& screen) {
  const CompareState& state = screen.view.compare;
  const auto columns = static_cast<int>(state.comparison.results.front().values.size()) + 1;
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInner | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("compared", columns, flags)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, screen.px(180));
  for (int i = 1; i < columns; ++i) ImGui::TableSetupColumn("");
  ImGui::TableSetupScrollFreeze(1, 1);
  const Comparison comparison = state.comparison;  // removing a pin changes it
  draw_head(screen);
  draw_rows(screen, "Results", comparison.results);
  draw_rows(screen, "Parts", comparison.parts);
  draw_rows(screen, "Settings", comparison.keys);
  ImGui::EndTable();
}

}  // namespace

void draw_compare(Screen& screen, ImVec2 size) {
  refresh(screen);
  CompareState& state = screen.view.compare;
  begin_panel(screen, "compare", "", size);
  ImGui::AlignTextToFramePadding();
  strong_text(screen, "Side by side");
  if (state.pins.all().empty()) {
    paragraph(screen,
              "Nothing is pinned. Pin this configuration, then change something: what differs in "
              "results, parts and settings stands here, side by side. Up to three can be pinned.");
    ImGui::BeginDisabled(!state.pins.takes(screen.session));
    if (main_button(screen, "Pin it (Ctrl+P)")) carry_out(screen, Command::pin);
    ImGui::EndDisabled();
  } else {
    ImGui::SameLine(0, screen.px(14));
    dim_text(screen, "percentages: against Now");
    ImGui::SameLine(0, screen.px(14));
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().good);
    ImGui::TextUnformatted("● best");
    ImGui::PopStyleColor();
    tooltip(screen,
            "By more than the figures are uncertain by; a price or power that leaves "
            "something out is not judged.");
    ImGui::SameLine(0, screen.px(14));
    ImGui::Checkbox("Show what is equal, too", &state.all_rows);
    note(screen, "Show what is equal, too");
    const Comparison& all = state.comparison;
    const auto changed = [](const std::vector<ComparedRow>& rows) {
      return std::ranges::any_of(rows, &ComparedRow::changed);
    };
    if (!changed(all.results) && !changed(all.parts) && !changed(all.keys))
      dim_text(screen, "Nothing differs yet: change something, and it stands here.");
    draw_table(screen);
  }
  end_panel();
}

}  // namespace gpufeed::ui
