// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/dialogs.h"

namespace gpufeed::ui {

bool begin_dialog(Screen& screen, const char* name, ImVec2 size) {
  if (screen.view.dialog_opened) ImGui::OpenPopup(name);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(screen.px(size.x), display.x * 0.96F),
                            std::min(screen.px(size.y), display.y * 0.96F)});
  const bool open =
      ImGui::BeginPopupModal(name, nullptr,
                             ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  if (!open) {
    if (!screen.view.dialog_opened) screen.view.dialog = Dialog::none;  // closed by Esc
    return false;
  }
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) close_dialog(screen);
  return true;
}

void end_dialog() { ImGui::EndPopup(); }

void close_dialog(Screen& screen) {
  screen.view.dialog = Dialog::none;
  ImGui::CloseCurrentPopup();
}

}  // namespace gpufeed::ui
