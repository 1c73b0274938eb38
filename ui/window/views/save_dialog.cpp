// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/write_whole.h"
#include "ui/model/show/report.h"
#include "ui/window/kit/dialogs.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

/// Whether a file may be written: at once, or, where it holds something else, when asked once more.
bool may_write(Screen& screen, const std::filesystem::path& file, bool destroys) {
  if (!destroys || screen.view.destroys == file) return true;
  screen.view.destroys = file.string();
  screen.view.message = file.string() + " is there with other contents. Once more: write over it.";
  return false;
}

void save(Screen& screen) {
  const std::filesystem::path file(screen.view.path);
  if (!may_write(screen, file, screen.session.would_destroy(file))) return;
  try {
    screen.session.save(screen.view.path);
    screen.view.message = "Saved as " + screen.view.path;
    close_dialog(screen);
  } catch (const InputError& error) {
    screen.view.message = sentence(error.problems().front());
  }
}

/// The page that `gpufeed simulate --html` writes, beside where the scenario would be saved.
void save_report(Screen& screen) {
  const auto file = std::filesystem::path(screen.view.path).replace_extension(".html");
  std::error_code unknown;
  if (!may_write(screen, file, std::filesystem::exists(file, unknown))) return;
  try {
    const Session& session = screen.session;
    write_whole(file.string(), file,
                report_page(*session.result(), screen.view.picture, session.saved(), session.file(),
                            screen.view.sources));
    screen.view.message = "Report written to " + file.string();
    close_dialog(screen);
  } catch (const InputError& error) {
    screen.view.message = sentence(error.problems().front());
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
  const bool again = !screen.view.destroys.empty() && screen.view.destroys == screen.view.path;
  if (main_button(screen, again ? "Write over it" : "Save")) save(screen);
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
