// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void centered(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room / 2));
  ImGui::TextUnformatted(text.c_str());
}

void begin(Screen& screen) {
  screen.view.camera = Camera();
  screen.view.selected.clear();
}

/// What a window that ended without being closed left behind.
void draw_left_behind(Screen& screen, ImVec2 size) {
  if (screen.view.left_behind.empty()) return;
  const LeftBehind left = screen.view.left_behind.front();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
  centered("The window ended before changes of " +
           std::filesystem::path(left.name).filename().string() + " were saved.");
  ImGui::PopStyleColor();
  ImGui::SetCursorPosX((size.x - screen.px(250)) / 2);
  const bool recovers = main_button(screen, "Recover them");
  ImGui::SameLine();
  const bool discards = button(screen, "Discard them");
  ImGui::Spacing();
  if (!recovers && !discards) return;
  if (recovers) {
    begin(screen);
    screen.session.start(left.text, left.name);
  }
  Keeping::discard(left);
  screen.view.left_behind.erase(screen.view.left_behind.begin());
}

void draw_recent(Screen& screen, ImVec2 size) {
  const std::vector<std::string> recent = screen.view.remembered.recent;
  if (recent.empty()) return;
  const float width = std::min(size.x * 0.8F, screen.px(640));
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  centered("Opened before");
  ImGui::PopStyleColor();
  for (const std::string& file : recent) {
    ImGui::SetCursorPosX((size.x - width) / 2);
    const std::string shown = clipped_to(file, width, ImGui::GetFont(), ImGui::GetFontSize());
    if (ImGui::Selectable(fmt::format("{}##{}", shown, file).c_str(), false, 0, {width, 0})) {
      begin(screen);
      screen.session.open(file);
    }
    note(screen, file);
  }
}

}  // namespace

void draw_start(Screen& screen, ImVec2 size) {
  ImGui::BeginChild("start", size, true);
  ImGui::Dummy({0, size.y * 0.3F});
  ImGui::PushFont(screen.fonts.large);
  centered("Will this machine keep its GPUs busy?");
  ImGui::PopFont();
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  centered(
      "Put a machine together, or start from an example or a file; every change is answered at "
      "once.");
  ImGui::PopStyleColor();
  ImGui::Dummy({0, screen.px(14)});
  const float width = screen.px(250);
  ImGui::SetCursorPosX((size.x - width) / 2);
  ImGui::PushID("start");
  if (main_button(screen, "Build a machine…  (Ctrl+N)", {width, screen.px(38)}))
    carry_out(screen, Command::build);
  ImGui::SetCursorPosX((size.x - width) / 2);
  if (main_button(screen, "Open…  (Ctrl+O)", {width, screen.px(38)}))
    carry_out(screen, Command::open);
  ImGui::PopID();
  ImGui::Spacing();
  draw_left_behind(screen, size);
  draw_recent(screen, size);
  ImGui::EndChild();
}

void draw_loading(Screen& screen, ImVec2 size) {
  ImGui::BeginChild("loading", size, true);
  ImGui::Dummy({0, size.y * 0.4F});
  centered("Simulating " + screen.session.file().filename().string() + " …");
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  centered("The first answer is on its way.");
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

}  // namespace gpufeed::ui
