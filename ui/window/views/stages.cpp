// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "sim/base/units.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void load_bar(const Screen& screen, double load) {
  const float height = ImGui::GetTextLineHeight();
  const float text_room = screen.px(58);
  const float width = std::max(screen.px(20), ImGui::GetContentRegionAvail().x - text_room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float round = screen.px(3);
  draw.AddRectFilled(at, {at.x + width, at.y + height}, packed(screen.colors().field), round);
  const auto part = static_cast<float>(std::clamp(load, 0.0, 1.0));
  if (part > 0)
    draw.AddRectFilled(at, {at.x + std::max(screen.px(2), part * width), at.y + height},
                       packed(load_color(load, screen.colors())), round);
  ImGui::Dummy({width, height});
  ImGui::SameLine();
  ImGui::TextUnformatted(percent(load).c_str());
}

void draw_row(const Screen& screen, const Result& result, const Stage& stage) {
  const bool holds = &stage == tightest_stage(result);
  const std::string name = sentence(stage.stage);
  const bool used = std::isfinite(stage.capacity_samples_per_s) && stage.capacity_samples_per_s > 0;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (holds)
    strong_text(screen, "▶ " + name);
  else
    ImGui::TextUnformatted(name.c_str());
  ImGui::TableNextColumn();
  if (used)
    load_bar(screen, result.throughput_samples_per_s / stage.capacity_samples_per_s);
  else
    dim_text(screen, "not used");
  ImGui::TableNextColumn();
  if (used) ImGui::TextUnformatted(text_number(stage.capacity_samples_per_s).c_str());
  ImGui::TableNextColumn();
  clipped_text(screen, in_words(stage.limit), true);
}

}  // namespace

void draw_stages(Screen& screen, const Result& result, ImVec2 size) {
  begin_panel(screen, "stages", "What each stage could deliver", size);
  ImGui::SameLine();
  clipped_text(screen, "if nothing else limited it; ▶ is the bottleneck", true);
  const auto flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                     ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollY;
  if (ImGui::BeginTable("stages", 4, flags)) {
    ImGui::TableSetupColumn("Stage", ImGuiTableColumnFlags_WidthFixed, screen.px(158));
    ImGui::TableSetupColumn("Load", ImGuiTableColumnFlags_WidthStretch, 1.0F);
    ImGui::TableSetupColumn("Samples/s", ImGuiTableColumnFlags_WidthFixed, screen.px(90));
    ImGui::TableSetupColumn("Limited by", ImGuiTableColumnFlags_WidthStretch, 1.3F);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    for (const Stage& stage : result.stages) draw_row(screen, result, stage);
    ImGui::EndTable();
  }
  end_panel();
}

}  // namespace gpufeed::ui
