// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/problems.h"

#include "ui/model/build/key_labels.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {

namespace {

void draw_repairs(Screen& screen) {
  if (screen.session.repairs().empty()) return;
  ImGui::AlignTextToFramePadding();
  dim_text(screen, "What would fit:");
  // A copy: taking one makes others.
  const std::vector<Repair> repairs = screen.session.repairs();
  for (const Repair& repair : repairs) {
    const float width = ImGui::CalcTextSize(repair.label.c_str()).x + screen.px(18);
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    if (main_button(screen, repair.label.c_str()))
      screen.session.apply([&](const std::string&) { return repair.text; });
  }
}

/// Above the messages, so that they are in sight however long those are.
void draw_ways_out(Screen& screen, bool has_answer) {
  const Session& session = screen.session;
  draw_repairs(screen);
  if (session.can_undo()) {
    if (main_button(screen, "Undo the last change")) carry_out(screen, Command::undo);
    ImGui::SameLine();
  }
  if (button(screen, "Copy the message")) {
    std::string all;
    for (const auto& problem : session.problems()) all += shown_line(problem) + "\n";
    ImGui::SetClipboardText(all.c_str());
  }
  if (!has_answer) {
    ImGui::SameLine();
    if (button(screen, "Read it again")) screen.session.open(screen.session.file());
    tooltip(screen, "Once the file was mended");
    ImGui::SameLine();
    if (button(screen, "Open another…")) carry_out(screen, Command::open);
  }
}

}  // namespace

void draw_problems(Screen& screen, ImVec2 size) {
  const Session& session = screen.session;
  const bool has_answer = session.result() || session.served() || session.shared();
  ImGui::PushStyleColor(ImGuiCol_Border, screen.colors().poor);
  ImGui::BeginChild("problems", size, true);
  ImGui::PopStyleColor();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
  strong_text(screen, "⚠ This configuration cannot be simulated");
  ImGui::PopStyleColor();
  if (has_answer) {
    ImGui::SameLine();
    clipped_text(screen, "Below: the answer to the last one that could.", true);
  }
  draw_ways_out(screen, has_answer);
  for (const auto& problem : session.problems()) {
    wrapped_text(in_words(problem));
    if (!problem.where.file.empty()) dim_text(screen, "in " + text(problem.where));
  }
  ImGui::EndChild();
}

}  // namespace gpufeed::ui
