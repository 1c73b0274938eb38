// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/write_whole.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
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

/// The page that `gpufeed simulate --html` writes.
void save_report(Screen& screen) {
  const std::filesystem::path file(screen.view.path);
  std::error_code unknown;
  if (!may_write(screen, file, std::filesystem::exists(file, unknown))) return;
  try {
    const Session& session = screen.session;
    const auto& what_if = screen.adviser.advice().what_if;
    const auto changes = what_if ? shown_changes(*what_if) : std::vector<WhatIfRow>{};
    const auto named = [&](Result result) {
      return session.answered() ? called_by_title(std::move(result), *session.answered()) : result;
    };
    const auto page = [&](const auto& answer) {
      return report_page(answer, session.saved(), session.file(), screen.view.sources);
    };
    write_whole(file.string(), file,
                session.served() ? page(*session.served())
                : session.shared()
                    ? page(*session.shared())
                    : report_page(named(*session.result()), screen.view.picture, changes,
                                  session.saved(), session.file(), screen.view.sources));
    screen.view.message = "Report written to " + file.string();
    close_dialog(screen);
  } catch (const InputError& error) {
    screen.view.message = sentence(error.problems().front());
  }
}

/// The path, its buttons and what came of them. \return whether it shall be written
bool draw_file(Screen& screen, const char* label, bool possible) {
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, "##path", "path of the file to write", screen.view.path);
  ImGui::BeginDisabled(screen.view.path.empty() || !possible);
  const bool again = !screen.view.destroys.empty() && screen.view.destroys == screen.view.path;
  const bool write = main_button(screen, again ? "Write over it" : label);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (button(screen, "Cancel")) close_dialog(screen);
  if (!screen.view.message.empty()) clipped_text(screen, screen.view.message, true);
  return write;
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
  if (draw_file(screen, "Save", true)) save(screen);
  end_dialog();
}

void draw_report_dialog(Screen& screen) {
  if (!begin_dialog(screen, "Report", {640, 210})) return;
  strong_text(screen, "Save a report as a page (HTML)");
  const bool known = screen.session.standing() == Standing::current && screen.session.is_whole();
  ImGui::PushTextWrapPos(0);
  dim_text(
      screen,
      known ? "The answer, its parts with prices and its pictures, in one file to read or to print."
            : "The answer is on its way…");
  ImGui::PopTextWrapPos();
  if (draw_file(screen, "Save the report", known)) save_report(screen);
  end_dialog();
}

}  // namespace gpufeed::ui
