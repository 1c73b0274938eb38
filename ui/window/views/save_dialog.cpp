// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostics.h"
#include "ui/model/keep/write_whole.h"
#include "ui/model/show/report.h"
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void save(Screen& screen) {
  try {
    screen.session.save(screen.view.path);
    screen.view.message = "Saved as " + screen.view.path;
    close_dialog(screen);
  } catch (const InputError& error) {
    screen.view.message = error.problems().front().message;
  }
}

/// The page that `gpufeed simulate --html` writes, beside where the scenario would be saved.
void save_report(Screen& screen) {
  const auto file = std::filesystem::path(screen.view.path).replace_extension(".html");
  try {
    write_whole(file, report_page(*screen.session.result(), screen.view.picture,
                                  screen.session.file().string()));
    screen.view.message = "Report written to " + file.string();
    close_dialog(screen);
  } catch (const InputError& error) {
    screen.view.message = error.problems().front().message;
  }
}

}  // namespace

void draw_save_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Save", {640, 210})) return;
  strong_text(screen, "Save the scenario as TOML");
  ImGui::PushTextWrapPos(0);
  dim_text(screen,
           "Your changes are written into the text as it was; comments stay. Files that it names "
           "by a relative path are looked for beside it.");
  ImGui::PopTextWrapPos();
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, "##path", "path of the file to write", screen.view.path);
  ImGui::BeginDisabled(screen.view.path.empty());
  if (main_button(screen, "Save")) save(screen);
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(screen.view.path.empty() || screen.session.standing() != Standing::current ||
                       !screen.session.is_whole());
  if (button(screen, "Save a report (HTML)")) save_report(screen);
  ImGui::EndDisabled();
  tooltip(screen, "The answer with its pictures as a page of its own, beside it");
  ImGui::SameLine();
  if (button(screen, "Cancel")) close_dialog(screen);
  if (!screen.view.message.empty()) clipped_text(screen, screen.view.message, true);
  end_dialog();
}

}  // namespace gpufeed::ui
