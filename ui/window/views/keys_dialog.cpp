// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct Key {
  const char* keys;
  const char* does;
};
constexpr std::array kKeys{
    Key{"Ctrl+N", "build a machine of a chassis and parts"},
    Key{"Ctrl+E", "every setting of the scenario"},
    Key{"Ctrl+L", "copy the command line that answers it"},
    Key{"Ctrl+O", "open an example or a file"},
    Key{"Ctrl+S", "save as TOML"},
    Key{"Ctrl+R", "save a report as a page"},
    Key{"Ctrl+Z", "undo"},
    Key{"Ctrl+Y, Ctrl+Shift+Z", "redo"},
    Key{"Ctrl++, Ctrl+−, Ctrl+0", "larger, smaller, normal size"},
    Key{"Ctrl+T", "light or dark"},
    Key{"Ctrl+1 to Ctrl+8",
        "machine, time line, what if, sweep, find, compare, explain, data path"},
    Key{"Ctrl+P", "pin the configuration to compare with"},
    Key{"F5", "start the sweep, the search or the explanation"},
    Key{"F1", "this list"},
    Key{"Esc", "close a dialog"},
    Key{"Tab, arrows, Space", "go through fields and buttons, press one"},
    Key{"wheel, drag, double click", "in the machine: zoom, pan, show all"}};

}  // namespace

void draw_keys_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Keys", {760, 510})) return;
  strong_text(screen, "Keys");
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupColumn("Keys", ImGuiTableColumnFlags_WidthFixed, screen.px(220));
    for (const Key& key : kKeys) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      strong_text(screen, key.keys);
      ImGui::TableNextColumn();
      wrapped_text(key.does);
    }
    ImGui::EndTable();
  }
  dim_text(screen, "What the words mean: gpufeed help glossary");
  if (button(screen, "Close")) close_dialog(screen);
  end_dialog();
}

}  // namespace gpufeed::ui
