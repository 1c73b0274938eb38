// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void centered(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room / 2));
  ImGui::TextUnformatted(text.c_str());
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
  centered("Start from an example or open a scenario; every change is answered at once.");
  ImGui::PopStyleColor();
  ImGui::Dummy({0, screen.px(14)});
  const float width = screen.px(220);
  ImGui::SetCursorPosX((size.x - width) / 2);
  ImGui::PushID("start");
  if (main_button(screen, "Open…  (Ctrl+O)", {width, screen.px(38)}))
    carry_out(screen, Command::open);
  ImGui::PopID();
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
