// SPDX-License-Identifier: Apache-2.0
#include "sim/model/scenario.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void command_button(Screen& screen, const char* label, const char* help, Command command,
                    bool enabled) {
  ImGui::SameLine();
  ImGui::BeginDisabled(!enabled);
  if (button(screen, label)) carry_out(screen, command);
  ImGui::EndDisabled();
  tooltip(screen, help);
}

std::string title_of(const Session& session) {
  if (session.standing() == Standing::empty) return "";
  if (session.result()) return session.result()->title;
  if (session.served()) return session.served()->title;
  if (session.shared()) return session.shared()->title;
  return session.scenario() ? session.scenario()->title : session.file().filename().string();
}

}  // namespace

void draw_toolbar(Screen& screen) {
  const Session& session = screen.session;
  const bool open = session.standing() != Standing::empty;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().accent);
  strong_text(screen, "gpufeed");
  ImGui::PopStyleColor();
  ImGui::SameLine(0, screen.px(18));
  ImGui::Dummy({0, 0});
  command_button(screen, "New…", "Build a machine of a chassis and parts (Ctrl+N)", Command::build,
                 true);
  command_button(screen, "Open…", "Start from an example or open a file (Ctrl+O)", Command::open,
                 true);
  command_button(screen, "Save…", "Write the scenario as TOML (Ctrl+S)", Command::save, open);
  command_button(screen, "Report…", "The answer as a page to read or to print (Ctrl+R)",
                 Command::report, open);
  command_button(screen, "Undo", "Take the last change back (Ctrl+Z)", Command::undo,
                 session.can_undo());
  command_button(screen, "Redo", "Make it again (Ctrl+Y)", Command::redo, session.can_redo());
  command_button(screen, "Copy command", "The command line that answers this scenario (Ctrl+L)",
                 Command::copy_command, open);
  constexpr float kLeastForSizes = 1100;  // where it is too narrow, keys do it
  const bool sizes = ImGui::GetWindowWidth() > screen.px(kLeastForSizes);
  const float right = screen.px(sizes ? 214 : 126);
  ImGui::SameLine(0, screen.px(18));
  const float room = ImGui::GetContentRegionAvail().x - right;
  ImGui::AlignTextToFramePadding();
  const std::string title = title_of(session) + (session.saved() || !open ? "" : "  (not saved)");
  ImGui::PushFont(screen.fonts.strong);
  ImGui::TextUnformatted(
      clipped_to(title, room, screen.fonts.strong, ImGui::GetFontSize()).c_str());
  ImGui::PopFont();
  tooltip(screen, title);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - right);
  ImGui::Dummy({0, 0});
  if (sizes) {
    command_button(screen, "A−", "Smaller (Ctrl+−)", Command::smaller, true);
    command_button(screen, "A+", "Larger (Ctrl++)", Command::larger, true);
  }
  command_button(screen, screen.view.dark ? "Light" : "Dark", "Change the colors (Ctrl+T)",
                 Command::theme, true);
  command_button(screen, "Keys", "All keys (F1)", Command::keys, true);
}

}  // namespace gpufeed::ui
