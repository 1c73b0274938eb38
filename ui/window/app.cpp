// SPDX-License-Identifier: Apache-2.0
#include "ui/window/app.h"
#include "sim/model/scenario.h"

#include <utility>

#include "ui/window/draw.h"

namespace gpufeed::ui {

App::App(const Catalog& catalog, const std::filesystem::path& examples, std::function<void()> wake)
    : session_(catalog, std::move(wake)), lists_(catalog), examples_(examples_in(examples)) {
  ImGui::CreateContext();

  ImGui::GetIO().IniFilename = nullptr;
}

App::~App() { ImGui::DestroyContext(); }

Screen App::screen() { return {session_, lists_, examples_, view_, fonts_}; }

void App::show(const std::string& name) {
  Screen all = screen();
  if (name == "open") ui::carry_out(all, Command::open);
  if (name == "save") ui::carry_out(all, Command::save);
  if (name == "keys") ui::carry_out(all, Command::keys);
  if (!session_.scenario()) return;
  for (const PartGroup& group : part_groups(*session_.scenario()->system)) {
    if (group.kind != name) continue;
    view_.choosing = group;
    view_.selected = group.ids.front();
    show_dialog(all, Dialog::choose);
    break;
  }
}

void App::carry_out(Command command) {
  Screen all = screen();
  ui::carry_out(all, command);
}

void App::finish() {
  lists_.finish();
  session_.finish();
}

bool App::refresh_fonts() {
  if (!std::exchange(view_.fonts_wanted, false)) return false;
  fonts_ = load_fonts(view_.scale);
  apply_style(palette(view_.dark), view_.scale);
  return true;
}

void App::draw() {
  Screen all = screen();
  draw_screen(all);
}

}  // namespace gpufeed::ui
