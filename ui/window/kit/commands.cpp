// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ui/model/build/new_machine.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/screen.h"
#include "ui/window/kit/widgets.h"

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

void copy_command(Screen& screen) {
  const Session& session = screen.session;
  if (session.standing() == Standing::empty) return;
  ImGui::SetClipboardText(command_line("simulate", session.file(), screen.view.sources).c_str());
  screen.view.message = session.saved() ? "Copied: " + std::string(ImGui::GetClipboardText())
                                        : "Copied; save the scenario first, or the command "
                                          "answers the file as it was";
}

/// As the form says; where it cannot be, it says why.
void start_sweep(Screen& screen) {
  SweepState& form = screen.view.sweep;
  form.problems.clear();
  screen.view.page = Page::sweep;
  SweepJob job{screen.session.text(), screen.session.file().string(), {}};
  try {
    for (const AxisForm& axis : form.forms)
      if (!axis.parameter.path.empty()) job.axes.push_back(axis_of(axis, screen.session.catalog()));
    if (job.axes.empty()) form.problems = {{{"the sweep"}, "choose what varies first"}};
    constexpr std::size_t kMost = 400;
    if (job.points() > kMost)
      form.problems = {{{"the sweep"},
                        fmt::format("{} points are too many for a chart (at most {}); gpufeed "
                                    "sweep takes more",
                                    job.points(), kMost)}};
    if (form.problems.empty()) screen.sweeper.start(std::move(job));
  } catch (const InputError& error) {
    form.problems = error.problems();
  }
}

/// As the form says; where it cannot be, it says why.
void start_search(Screen& screen) {
  FindState& state = screen.view.find;
  state.problem.clear();
  const std::string name = screen.session.file().lexically_normal().string();
  try {
    state.asked = state.form.aim;
    state.form.axes = ticked_axes(state.groups);
    GoalForm front = state.form;
    front.aim = Aim::front;
    screen.finder.start(goal_text(state.form, name), screen.session.text(), name,
                        state.asked == Aim::front ? "" : goal_text(front, name));
  } catch (const InputError& error) {
    state.problem = shown_lines(error.problems());
  }
}

void start(Screen& screen) {
  if (screen.session.standing() == Standing::empty || !screen.session.is_scenario()) return;
  screen.view.outcome_awaits = true;
  if (screen.view.page == Page::find) return start_search(screen);
  if (screen.view.page == Page::explain && screen.session.answered())
    return screen.explainer.start(observed_text(screen.view.explain.fields),
                                  screen.session.answered());
  start_sweep(screen);
}

/// A scenario of the machine that the window runs on.
void start_this_machine(Screen& screen) {
  try {
    const std::string text = scenario_of_this_machine(screen.session.catalog());
    screen.view.camera = Camera();
    screen.view.selected.clear();
    screen.session.start(text, "this_machine.toml");
  } catch (const InputError& error) {
    screen.view.message = error.what();
  }
}

}  // namespace

void show_dialog(Screen& screen, Dialog dialog) {
  screen.view.dialog = dialog;
  screen.view.dialog_opened = true;
  hold_typing(screen);
}

void show_numbers(Screen& screen, const std::string& kind, const std::string& product,
                  const std::string& title) {
  screen.view.numbers = {kind, product, title, 0, {}};
  show_dialog(screen, Dialog::numbers);
}

void choose(Screen& screen, Choosing choosing) {
  screen.view.choosing = std::move(choosing);
  screen.view.search.clear();
  screen.view.effects_begun = false;
  screen.view.unfit.clear();
  screen.view.pointing = false;
  show_dialog(screen, Dialog::choose);
}

void carry_out(Screen& screen, Command command) {
  ViewState& view = screen.view;
  view.message.clear();
  switch (command) {
    case Command::build:
      return choose(screen, choosing_to_begin("server", screen.session.catalog()));
    case Command::this_machine:
      return start_this_machine(screen);
    case Command::settings:
      if (screen.session.standing() == Standing::empty || !screen.session.is_scenario()) return;
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
      view.destroys.clear();
      return show_dialog(screen, Dialog::save);
    case Command::report:
      if (!screen.session.result() && !screen.session.served() && !screen.session.shared()) return;
      view.path = std::filesystem::path(place_to_save(screen)).replace_extension(".html").string();
      view.destroys.clear();
      return show_dialog(screen, Dialog::report);
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
    case Command::pin:
      if (view.compare.pins.add(screen.session)) view.message = "Pinned to compare with.";
      return;
    case Command::show_machine:
      view.page = Page::machine;
      return;
    case Command::show_timeline:
      view.page = Page::timeline;
      return;
    case Command::show_path:
      view.page = Page::path;
      return;
    case Command::show_what_if:
      view.page = Page::what_if;
      return;
    case Command::show_sweep:
      view.page = Page::sweep;
      return;
    case Command::show_find:
      view.page = Page::find;
      return;
    case Command::show_compare:
      view.page = Page::compare;
      return;
    case Command::show_explain:
      view.page = Page::explain;
      return;
    case Command::start:
      return start(screen);
  }
}

}  // namespace gpufeed::ui
