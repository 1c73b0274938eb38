// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void open(Screen& screen, const std::filesystem::path& file) {
  screen.view.camera = Camera();
  screen.view.selected.clear();
  screen.session.open(file);
  close_dialog(screen);
}

void list_examples(Screen& screen) {
  const float rest = ImGui::GetFrameHeightWithSpacing() * 2 + ImGui::GetTextLineHeight() * 2;
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("examples", 2, flags, {0, ImGui::GetContentRegionAvail().y - rest}))
    return;
  ImGui::TableSetupColumn("Example", ImGuiTableColumnFlags_WidthFixed, screen.px(260));
  ImGui::TableSetupColumn("Scenario", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableHeadersRow();
  for (const Example& example : screen.examples) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (list_item(screen, example.folder)) open(screen, example.file);
    ImGui::TableNextColumn();
    clipped_text(screen, example.title, true);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_open_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Open", {760, 620})) return;
  strong_text(screen, "Start from an example");
  list_examples(screen);
  ImGui::Spacing();
  strong_text(screen, "Or open a file");
  const float buttons = screen.px(180);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttons);
  const bool done =
      text_field(screen, "##path", "path of a scenario, such as mine.toml", screen.view.path);
  ImGui::SameLine();
  ImGui::BeginDisabled(screen.view.path.empty());
  if (main_button(screen, "Open") || (done && !screen.view.path.empty()))
    open(screen, screen.view.path);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (button(screen, "Cancel")) close_dialog(screen);
  end_dialog();
}

}  // namespace gpufeed::ui
