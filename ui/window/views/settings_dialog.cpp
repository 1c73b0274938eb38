// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void draw_row(Screen& screen, const SettingRow& row) {
  const bool yours = !row.value.empty();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  if (yours)
    strong_text(screen, row.path);
  else
    ImGui::TextUnformatted(row.path.c_str());
  tooltip(screen, row.help + "\nMust be " + row.form);
  ImGui::TableNextColumn();
  if (row.in_tables) return dim_text(screen, "tables of the file: " + row.value);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (const auto typed = value_field(screen, row.path, row.value)) {
    if (typed->empty())
      screen.session.reset(own_path(row.path));
    else
      screen.session.edit_words(own_path(row.path), *typed);
  }
  if (const auto problem = problem_of(own_path(row.path), screen.session.problems());
      !problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(problem.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::TableNextColumn();
  if (yours) {
    if (ImGui::Button(("Reset##" + row.path).c_str())) screen.session.reset(own_path(row.path));
    note(screen, "Reset " + row.path);
    tooltip(screen, row.standard.empty() ? "Leave it out" : "Back to " + row.standard);
  } else {
    ImGui::AlignTextToFramePadding();
    clipped_text(screen, row.standard.empty() ? "not set" : row.standard, true);
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  clipped_text(screen, row.help, true);
}

void draw_table(Screen& screen) {
  const float rest = ImGui::GetFrameHeightWithSpacing();
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("settings", 4, flags, {0, ImGui::GetContentRegionAvail().y - rest}))
    return;
  ImGui::TableSetupColumn("Key", ImGuiTableColumnFlags_WidthFixed, screen.px(250));
  ImGui::TableSetupColumn("Yours", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("Otherwise", ImGuiTableColumnFlags_WidthFixed, screen.px(150));
  ImGui::TableSetupColumn("What it is", ImGuiTableColumnFlags_WidthStretch, 1.2F);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableHeadersRow();
  // A copy: an edit makes the list anew.
  const std::vector<SettingRow> rows = screen.view.settings;
  for (const SettingRow* row : found_in(rows, screen.view.search)) draw_row(screen, *row);
  ImGui::EndTable();
}

}  // namespace

void draw_settings_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Settings", {1180, 760})) return;
  strong_text(screen, "Everything that a scenario can say");
  dim_text(screen,
           "Numbers with their unit, such as 2 GB/s; Enter takes a value, none leaves the "
           "key out. Keys in bold are yours.");
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, "##search", "search: words of the key, such as prefetch", screen.view.search);
  draw_table(screen);
  if (button(screen, "Close")) close_dialog(screen);
  if (!screen.session.refusal().empty()) {
    ImGui::SameLine();
    clipped_text(screen, "Not changed: " + screen.session.refusal(), true);
  }
  end_dialog();
}

}  // namespace gpufeed::ui
