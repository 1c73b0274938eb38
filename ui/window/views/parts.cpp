// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join_ids.h"
#include "sim/base/units.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

const char* kind_in_words(const std::string& kind) {
  if (kind == "gpu") return "GPU";
  if (kind == "cpu") return "CPU";
  if (kind == "nic") return "Network card";
  if (kind == "drive") return "Drive";
  return "PCIe switch";
}

std::string price_in_words(const PartGroup& group) {
  if (!group.price) return "price not known";
  if (group.price->value == 0) return "in the machine's price";
  return text_number(group.price->value, 6) + " USD each";
}

void draw_group(Screen& screen, const PartGroup& group) {
  const bool chosen = std::ranges::count(group.ids, screen.view.selected) > 0;
  ImGui::PushID(group.ids.front().c_str());
  if (chosen)
    ImGui::PushStyleColor(ImGuiCol_ChildBg, [&] {
      const ImVec4& accent = screen.colors().accent;
      return ImVec4(accent.x, accent.y, accent.z, 0.16F);
    }());
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("part", {0, 3 * line + screen.px(14)}, true, ImGuiWindowFlags_NoScrollbar);
  dim_text(screen, fmt::format("{} × {}", group.ids.size(), kind_in_words(group.kind)));
  const float button = screen.px(84);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - button);
  if (ImGui::Button("Change…", {button, 0})) choose(screen, choosing_for(group));
  note(screen, "Change " + group.ids.front());
  tooltip(screen, "Take another product of the catalog");
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - screen.px(7));
  ImGui::TextUnformatted(title_to(group.title, ImGui::GetContentRegionAvail().x, ImGui::GetFont(),
                                  ImGui::GetFontSize())
                             .c_str());
  tooltip(screen, group.title);
  const float numbers = ImGui::CalcTextSize("Numbers…").x + 2 * ImGui::GetStyle().FramePadding.x;
  const std::string ids = price_in_words(group) + "  ·  " + join_ids(group.ids);
  const float room = ImGui::GetContentRegionAvail().x - numbers - screen.px(8);
  dim_text(screen, clipped_to(ids, room, ImGui::GetFont(), ImGui::GetFontSize()));
  tooltip(screen, ids);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - numbers);
  if (ImGui::SmallButton("Numbers…")) show_numbers(screen, group.kind, group.product, group.title);
  note(screen, "Numbers of " + group.ids.front());
  tooltip(screen, "What is known of it, and your own values");
  if (chosen && screen.view.show_selected) {
    ImGui::SetScrollHereY();
    screen.view.show_selected = false;
  }
  ImGui::EndChild();
  if (ImGui::IsItemClicked()) screen.view.selected = group.ids.front();
  if (chosen) ImGui::PopStyleColor();
  ImGui::PopID();
}

}  // namespace

void draw_parts(Screen& screen) {
  if (const auto requested = screen.view.requested)
    return draw_requested_machine(screen, *requested);
  if (screen.view.parts.empty()) dim_text(screen, "This machine lists no parts.");
  for (const PartGroup& group : screen.view.parts) draw_group(screen, group);
}

}  // namespace gpufeed::ui
