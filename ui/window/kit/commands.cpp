// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {
namespace {

constexpr float kSmallest = 0.5F;
constexpr float kLargest = 4;
constexpr float kStep = 1.1F;

void scale_to(ViewState& view, float scale) {
  view.scale = std::clamp(scale, kSmallest, kLargest);
  view.fonts_wanted = true;
}

/// Examples are not written over: their copy goes to the folder the window was started in.
std::string place_to_save(const Screen& screen) {
  const auto& file = screen.session.file();
  const bool example = std::ranges::any_of(screen.examples, [&](const Example& one) {
    return one.file.parent_path() == file.parent_path();
  });
  return example ? file.filename().string() : file.string();
}

/// A line for a shell, where a quote is all that is special between quotes.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void copy_command(Screen& screen) {
  const Session& session = screen.session;
  if (session.standing() == Standing::empty) return;
  ImGui::SetClipboardText(("gpufeed simulate " + quoted(session.file().string())).c_str());
  screen.view.message = session.saved() ? "Copied: " + std::string(ImGui::GetClipboardText())
                                        : "Copied; save the scenario first, or the command "
                                          "answers the file as it was";
}

}  // namespace

void show_dialog(Screen& screen, Dialog dialog) {
  screen.view.dialog = dialog;
  screen.view.dialog_opened = true;
}

void choose(Screen& screen, Choosing choosing) {
  screen.view.choosing = std::move(choosing);
  screen.view.search.clear();
  screen.view.effects_begun = false;
  show_dialog(screen, Dialog::choose);
}

void carry_out(Screen& screen, Command command) {
  ViewState& view = screen.view;
  view.message.clear();
  switch (command) {
    case Command::build:
      return choose(screen, choosing_to_begin("chassis", screen.session.catalog()));
    case Command::settings:
      if (screen.session.standing() == Standing::empty) return;
      view.search.clear();
      return show_dialog(screen, Dialog::settings);
    case Command::copy_command:
      return copy_command(screen);
    case Command::open:
      view.path.clear();
      return show_dialog(screen, Dialog::open);
    case Command::save:
      if (screen.session.standing() == Standing::empty) return;
      view.path = place_to_save(screen);
      return show_dialog(screen, Dialog::save);
    case Command::undo:
      return screen.session.undo();
    case Command::redo:
      return screen.session.redo();
    case Command::keys:
      return show_dialog(screen, Dialog::keys);
    case Command::larger:
      return scale_to(view, view.scale * kStep);
    case Command::smaller:
      return scale_to(view, view.scale / kStep);
    case Command::normal_size:
      return scale_to(view, 1);
    case Command::theme:
      view.dark = !view.dark;
      view.fonts_wanted = true;
      return;
  }
}

}  // namespace gpufeed::ui
