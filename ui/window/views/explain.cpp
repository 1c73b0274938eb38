// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/writers/explanation_text.h"
#include "reports/writers/sighting_text.h"
#include "sim/model/scenario.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void draw_form(Screen& screen, ImVec2 size) {
  begin_panel(screen, "seen form", "What was seen on a real run", size);
  wrapped_text("Of epochs after the first, and how far off that may be; fill in what you know.");
  ImGui::Spacing();
  const float spread = screen.px(90);
  for (SeenField& field : screen.view.explain.fields) {
    dim_text(screen, field.label);
    tooltip(screen, field.help);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - spread - screen.px(8));
    text_field(screen, ("##" + field.key).c_str(), field.hint.c_str(), field.value);
    note(screen, field.label);
    tooltip(screen, field.help);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(spread);
    text_field(screen, ("##spread of " + field.key).c_str(), "± 5 %", field.spread);
    note(screen, "Spread of " + field.label);
    tooltip(screen, "One standard deviation, in the same unit; left out, it is 5 % of the value");
  }
  ImGui::Spacing();
  if (screen.explainer.running()) {
    if (button(screen, "Cancel it")) screen.explainer.cancel();
  } else if (main_button(screen, "Explain it (F5)")) {
    carry_out(screen, Command::start);
  }
  end_panel();
}

void draw_sightings(const Screen& screen, const Explanation& answer) {
  if (!ImGui::BeginTable("sightings", 3, ImGuiTableFlags_RowBg)) return;
  for (const char* const name : {"", "Predicted", "Seen"}) ImGui::TableSetupColumn(name);
  ImGui::TableHeadersRow();
  for (const Sighting& one : answer.sightings) {
    if (!one.seen || !one.predicted) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    dim_text(screen, label_of_sighting(one.name));
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(sighting_text(one, *one.predicted).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(
        fmt::format("{} ± {}", sighting_text(one, *one.seen), sighting_text(one, one.spread))
            .c_str());
  }
  ImGui::EndTable();
}

void draw_causes(const Screen& screen, const Explanation& answer) {
  ImGui::Spacing();
  ImGui::PushFont(screen.fonts.strong);
  wrapped_text(causes_heading(answer));
  ImGui::PopFont();
  for (std::size_t i = 0; i < answer.causes.size(); ++i) {
    const Cause& cause = answer.causes[i];
    ImGui::Separator();
    wrapped_text(
        fmt::format("{}  {}; {}", i + 1, cause_text(cause),
                    cause.explains ? "explains all that was seen" : "explains a part of it"));
    ImGui::Indent(screen.px(18));
    ImGui::PushTextWrapPos(0);
    dim_text(screen, "then: " + predictions_text(cause));
    dim_text(screen, "check: " + cause.check);
    ImGui::PopTextWrapPos();
    ImGui::Unindent(screen.px(18));
  }
  ImGui::Separator();
  if (const std::string telling = telling_text(answer); !telling.empty()) wrapped_text(telling);
  ImGui::PushTextWrapPos(0);
  if (!answer.ruled_out.empty())
    dim_text(screen, fmt::format("It is not alone: {}", fmt::join(answer.ruled_out, "; ")));
  ImGui::PopTextWrapPos();
}

void draw_answer(Screen& screen, ImVec2 size) {
  const Explainer& explainer = screen.explainer;
  if (explainer.running()) {
    begin_panel(screen, "explanation", "Trying every mechanism…", size);
    dim_text(screen, "Each is made stronger and weaker until it fits; this takes some seconds.");
  } else if (!explainer.problem().empty()) {
    begin_panel(screen, "explanation", "This cannot be explained", size);
    problem_text(screen, explainer.problem());
  } else if (!explainer.answer()) {
    begin_panel(screen, "explanation", "Why does the real machine do otherwise?", size);
    paragraph(
        screen,
        "Fill in on the left what a real run of this configuration showed. Each mechanism is made "
        "stronger and weaker until it fits; those that explain all of it are ranked, each with "
        "what to look at to know.");
  } else {
    const Explanation answer = *explainer.answer();
    begin_panel(screen, "explanation", "Seen, and predicted", size);
    if (explainer.scenario() != screen.session.answered()) {
      ImGui::SameLine(0, screen.px(14));
      dim_text(screen, "of the configuration before the last changes");
    }
    draw_sightings(screen, answer);
    if (answer.fits)
      wrapped_text("All that was seen lies within two deviations: there is nothing to explain.");
    else
      draw_causes(screen, answer);
  }
  end_panel();
  note(screen, "the explanation");
  bring_outcome_into_sight(screen);
}

}  // namespace

void draw_explain(Screen& screen, ImVec2 size) {
  if (!takes_advice(*screen.session.answered())) {
    begin_panel(screen, "explain", "Why does the real machine do otherwise?", size);
    dim_text(screen,
             "That is asked of training, emulated and loader; this work is of another kind.");
    return end_panel();
  }
  constexpr float kLeastForTwo = 760;
  const bool narrow = size.x < screen.px(kLeastForTwo);
  const float left = narrow ? size.x : screen.px(340);
  draw_form(screen, {left, narrow ? screen.px(480) : size.y});
  if (!narrow) ImGui::SameLine();
  draw_answer(screen, {0, narrow ? screen.px(330) : size.y});
}

}  // namespace gpufeed::ui
