// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/axis_form.h"
#include "ui/window/views/sweep_parts.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void refresh_sweep(Screen& screen) {
  SweepState& state = screen.view.sweep;
  if (state.version == screen.session.version() || !screen.session.result()) return;
  state.version = screen.session.version();
  state.parameters = parameters_of(*screen.session.answered(), *screen.session.result());
}

const std::array kAxisLabels{
    AxisLabels{"What varies", "choose…", "What varies", "values, such as 1, 2, 4", "from", "to",
               "how many values", "1"},
    AxisLabels{"and, as lines or rows", "nothing else", "Second axis", "values of the second",
               "from (second)", "to (second)", "how many (second)", "2"}};

void draw_axis(Screen& screen, std::size_t axis) {
  SweepState& state = screen.view.sweep;
  draw_axis_form(screen, state.forms[axis], kAxisLabels[axis], state.parameters, suggested_form);
}

void draw_progress(Screen& screen) {
  Sweeper& sweeper = screen.sweeper;
  const std::size_t all = sweeper.points().size();
  if (all == 0) return;
  const auto share = static_cast<float>(sweeper.finished()) / static_cast<float>(all);
  if (sweeper.running()) ImGui::ProgressBar(share, {-FLT_MIN, 0}, "");
  dim_text(screen, progress_text(sweeper));
  if (sweeper.is_old(screen.session.text())) {
    ImGui::PushTextWrapPos(0);
    dim_text(screen, "of the scenario before it was changed; sweep again for the present one");
    ImGui::PopTextWrapPos();
  }
}

void draw_form(Screen& screen, ImVec2 size) {
  SweepState& state = screen.view.sweep;
  begin_panel(screen, "sweep form", "Sweep", size);
  draw_axis(screen, 0);
  ImGui::Spacing();
  if (!state.forms[0].parameter.path.empty()) draw_axis(screen, 1);
  ImGui::Spacing();
  if (screen.sweeper.running()) {
    if (button(screen, "Cancel the sweep")) screen.sweeper.cancel();
  } else {
    ImGui::BeginDisabled(state.forms[0].parameter.path.empty());
    if (main_button(screen, screen.sweeper.points().empty() ? "Sweep (F5)" : "Sweep again (F5)"))
      carry_out(screen, Command::start);
    ImGui::EndDisabled();
  }
  draw_progress(screen);
  if (!state.problems.empty()) {
    problem_text(screen, shown_lines(state.problems));
    note(screen, "problem of the sweep");
    bring_outcome_into_sight(screen);
  }
  end_panel();
}

}  // namespace

std::string progress_text(const Sweeper& sweeper) {
  const std::size_t all = sweeper.points().size();
  if (all == 0) return "";
  std::size_t failed = 0;
  for (const auto& point : sweeper.points()) failed += point.state == SweptPoint::State::failed;
  std::string words = fmt::format("{} of {} points", sweeper.finished(), all);
  if (failed > 0) words += fmt::format(", {} cannot be built", failed);
  if (sweeper.running()) return "Sweeping: " + words;
  return words + (sweeper.canceled() ? "; canceled" : "");
}

void load_point(Screen& screen, std::size_t point) {
  screen.session.change_to(screen.sweeper.job().text_at(point));
  screen.view.message.clear();
}

void draw_sweep(Screen& screen, ImVec2 size) {
  refresh_sweep(screen);
  constexpr float kLeastForTwo = 760;
  const bool narrow = size.x < screen.px(kLeastForTwo);
  const float left = narrow ? size.x : screen.px(300);
  draw_form(screen, {left, narrow ? screen.px(330) : size.y});
  if (!narrow) ImGui::SameLine();
  ImGui::BeginGroup();
  const ImVec2 room{narrow ? size.x : size.x - left - ImGui::GetStyle().ItemSpacing.x, size.y};
  if (screen.sweeper.points().empty()) {
    begin_panel(screen, "sweep empty", "What would another value bring?", room);
    paragraph(screen,
              "Choose one or two parameters on the left, and their values. Each combination is "
              "simulated in the background; a click on a point loads it.");
    end_panel();
  } else {
    const float chart = room.y * 0.62F;
    draw_sweep_chart(screen, {room.x, chart});
    bring_outcome_into_sight(screen);
    draw_sweep_table(screen, {room.x, room.y - chart - ImGui::GetStyle().ItemSpacing.y});
  }
  ImGui::EndGroup();
}

}  // namespace gpufeed::ui
