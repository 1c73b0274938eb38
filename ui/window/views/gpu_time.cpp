// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/rates_text.h"
#include "sim/model/workload.h"
#include "ui/model/show/job_rows.h"
#include "ui/model/show/time_kinds.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void draw_bar(const Screen& screen, const GpuShare& share) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = screen.px(24);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  float x = at.x;
  for (const TimeKind& kind : kTimeKinds) {
    const float end = x + static_cast<float>(share.*kind.share) * width;
    if (end - x < 0.5F) continue;
    draw.AddRectFilled({x, at.y}, {end, at.y + height}, packed(share_color(kind.color)));
    const std::string words = percent(share.*kind.share);
    const ImVec2 room = ImGui::CalcTextSize(words.c_str());
    if (room.x + screen.px(8) < end - x)
      draw.AddText({(x + end - room.x) / 2, at.y + (height - room.y) / 2},
                   kind.pale ? IM_COL32_BLACK : IM_COL32_WHITE, words.c_str());
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, at.y}, {end, at.y + height}))
      wrapped_tooltip(screen, fmt::format("{} {}\n{}", kind.words, words, kind.help));
    x = end;
  }
  ImGui::Dummy({width, height});
}

/// One entry of the legend for each kind of time that there is.
void draw_legend(const Screen& screen, const GpuShare& share) {
  bool first = true;
  for (const TimeKind& kind : kTimeKinds) {
    if (share.*kind.share <= 0) continue;
    legend_entry(screen, fmt::format("{} {}", kind.words, percent(share.*kind.share)),
                 share_color(kind.color), first);
    first = false;
    tooltip(screen, kind.help);
  }
}

/// What a language model's step goes to, a line each.
void draw_step(const Screen& screen, const Result& result) {
  if (!result.transformer) return;
  constexpr double kTold = 0.005;
  ImGui::Spacing();
  dim_text(screen, "Of its step:");
  const float left = screen.px(250);
  for (const StepPartTime& part : result.transformer->parts) {
    if (part.share < kTold) continue;
    const std::string words = sentence(part.part);
    ImGui::TextUnformatted(
        clipped_to(words, left - screen.px(18), ImGui::GetFont(), ImGui::GetFontSize()).c_str());
    tooltip(screen, words);
    ImGui::SameLine(left);
    const float room = ImGui::GetContentRegionAvail().x - screen.px(64);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = ImGui::GetTextLineHeight();
    const bool exchanged = is_exchange(part.part.code);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + high * 0.2F},
        {at.x + std::max(2.0F, static_cast<float>(part.share) * room), at.y + high * 0.9F},
        packed(exchanged ? screen.colors().poor : share_color(0)));
    ImGui::Dummy({static_cast<float>(part.share) * room, high});
    ImGui::SameLine(0, screen.px(6));
    dim_text(screen, percent(part.share));
  }
}

/// With a capital letter.
std::string as_sentence(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() -= 'a' - 'A';
  return words;
}

/// What is so; why, once it is asked for: a few long ones would hide all that stands below.
void draw_warnings(Screen& screen) {
  if (screen.view.titled.warnings.empty()) return;
  ImGui::Spacing();
  strong_text(screen, "Mind");
  for (const Warning& warning : screen.view.titled.warnings) {
    const std::string why = reason(warning);
    const std::string said = sentence(warning);
    const bool open =
        !why.empty() &&
        ImGui::TreeNodeEx(said.c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen, "%s", "");
    note(screen, "warning: " + said);
    if (!why.empty()) ImGui::SameLine();
    problem_text(screen, as_sentence(claim(warning)) + ".");
    if (!why.empty()) tooltip(screen, said);
    if (open) wrapped_text(as_sentence(why) + ".");
  }
}

void draw_job(const Screen& screen, const Result& result) {
  const auto rows = job_rows(result);
  if (rows.empty()) return;
  ImGui::Spacing();
  strong_text(screen, "The job");
  for (const JobRow& row : rows) {
    dim_text(screen, row.label);
    note(screen, "job: " + row.label);
    ImGui::SameLine(screen.px(118));
    wrapped_text(row.words);
  }
}

}  // namespace

void draw_gpu_time(Screen& screen, const Result& result, ImVec2 size) {
  begin_panel(screen, "gpu time", "Where each GPU's time goes", size);
  const bool computes = !result.gpus.empty() && result.kind != gpufeed::kind_of<kind::Loader>;
  if (!computes) dim_text(screen, "No GPU computes in this work.");
  for (const GpuGroup& group : computes ? result.gpus : std::vector<GpuGroup>{}) {
    ImGui::Spacing();
    wrapped_text(group.count == 1 ? group.group
                                  : fmt::format("{} GPUs alike: {}", group.count, group.group));
    draw_bar(screen, group.share);
    draw_legend(screen, group.share);
  }
  draw_step(screen, result);
  if (!result.bottleneck.evidence.empty()) {
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    strong_text(screen, "Why");
    wrapped_text(as_sentence(in_words(screen.view.titled.evidence)));
    constexpr std::size_t kDefaults = 3;
    const std::size_t defaults = std::min(kDefaults, result.deciding_defaults.size());
    for (std::size_t i = 0; i < defaults; ++i)
      wrapped_text("Rests on " + in_plain_words(result.deciding_defaults[i]) + ".");
  }
  draw_advice_in_short(screen);
  draw_warnings(screen);
  draw_job(screen, result);
  end_panel();
}

}  // namespace gpufeed::ui
