// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/sweep_parts.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void refresh(Screen& screen) {
  SweepState& state = screen.view.sweep;
  if (state.version == screen.session.version() || !screen.session.result()) return;
  state.version = screen.session.version();
  state.parameters = parameters_of(*screen.session.answered(), *screen.session.result());
}

std::string one_line(const Parameter& parameter) {
  return parameter.path + (parameter.now.empty() ? "" : "  =  " + parameter.now);
}

/// A list of all parameters, with a search. \return whether one was chosen
bool choose_parameter(Screen& screen, AxisForm& form) {
  if (!ImGui::BeginPopup("parameters")) return false;
  SweepState& state = screen.view.sweep;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(screen.px(520));
  text_field(screen, "##search", "search: words of a parameter, such as workers", state.search);
  bool chosen = false;
  ImGui::BeginChild("list", {screen.px(520), screen.px(320)});
  for (const Parameter* one : found_in(state.parameters, state.search)) {
    if (list_item(screen, one_line(*one))) {
      form = suggested_form(*one);
      chosen = true;
      ImGui::CloseCurrentPopup();
    }
    tooltip(screen, one->help + "\n" + one->form);
  }
  ImGui::EndChild();
  ImGui::EndPopup();
  return chosen;
}

void field(const Screen& screen, const char* name, std::string& text) {
  ImGui::SetNextItemWidth(-FLT_MIN);
  text_field(screen, fmt::format("##{}", name).c_str(), name, text);
}

void draw_values(Screen& screen, AxisForm& form, std::size_t axis) {
  if (ImGui::RadioButton("List", !form.range)) form.range = false;
  note(screen, fmt::format("List {}", axis + 1));
  ImGui::SameLine();
  if (ImGui::RadioButton("Range", form.range)) form.range = true;
  note(screen, fmt::format("Range {}", axis + 1));
  tooltip(screen, "So many values from one to another");
  if (!form.range) {
    field(screen, axis == 0 ? "values, such as 1, 2, 4" : "values of the second", form.list);
    return;
  }
  field(screen, axis == 0 ? "from" : "from (second)", form.from);
  field(screen, axis == 0 ? "to" : "to (second)", form.to);
  field(screen, axis == 0 ? "how many values" : "how many (second)", form.count);
  ImGui::Checkbox("by a factor, not a step", &form.geometric);
}

void draw_axis(Screen& screen, std::size_t axis) {
  AxisForm& form = screen.view.sweep.forms[axis];
  ImGui::PushID(static_cast<int>(axis));
  dim_text(screen, axis == 0 ? "What varies" : "and, as lines or rows");
  const bool none = form.parameter.path.empty();
  const std::string label = none ? (axis == 0 ? "choose…" : "nothing else") : form.parameter.path;
  const std::string shown = clipped_to(label, ImGui::GetContentRegionAvail().x - screen.px(52),
                                       ImGui::GetFont(), ImGui::GetFontSize());
  if (ImGui::Button((shown + "###parameter").c_str())) {
    screen.view.sweep.search.clear();
    ImGui::OpenPopup("parameters");
  }
  note(screen, axis == 0 ? "What varies" : "Second axis");
  tooltip(screen, none ? "Choose a parameter" : form.parameter.help + "\n" + form.parameter.form);
  choose_parameter(screen, form);
  if (!form.parameter.path.empty()) {
    ImGui::SameLine();
    if (ImGui::Button("×")) form = {};
    note(screen, fmt::format("Clear {}", axis + 1));
    tooltip(screen, "Leave it out");
  }
  if (!form.parameter.path.empty()) draw_values(screen, form, axis);
  ImGui::PopID();
}

void draw_progress(Screen& screen) {
  Sweeper& sweeper = screen.sweeper;
  const std::size_t all = sweeper.points().size();
  if (all == 0) return;
  const auto share = static_cast<float>(sweeper.finished()) / static_cast<float>(all);
  if (sweeper.running()) ImGui::ProgressBar(share, {-FLT_MIN, 0}, "");
  dim_text(screen, progress_text(sweeper));
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
      carry_out(screen, Command::start_sweep);
    ImGui::EndDisabled();
  }
  draw_progress(screen);
  if (!state.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(state.problem.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
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
  refresh(screen);
  constexpr float kLeastForTwo = 760;
  const bool narrow = size.x < screen.px(kLeastForTwo);
  const float left = narrow ? size.x : screen.px(300);
  draw_form(screen, {left, narrow ? screen.px(330) : size.y});
  if (!narrow) ImGui::SameLine();
  ImGui::BeginGroup();
  const ImVec2 room{narrow ? size.x : size.x - left - ImGui::GetStyle().ItemSpacing.x, size.y};
  if (screen.sweeper.points().empty()) {
    begin_panel(screen, "sweep empty", "What would another value bring?", room);
    ImGui::PushTextWrapPos(screen.px(620));
    ImGui::TextUnformatted(
        "Choose one or two parameters on the left, and their values. Each combination is "
        "simulated in the background; a click on a point loads it.");
    ImGui::PopTextWrapPos();
    end_panel();
  } else {
    const float chart = room.y * 0.62F;
    draw_sweep_chart(screen, {room.x, chart});
    draw_sweep_table(screen, {room.x, room.y - chart - ImGui::GetStyle().ItemSpacing.y});
  }
  ImGui::EndGroup();
}

}  // namespace gpufeed::ui
