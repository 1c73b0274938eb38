// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/probes.h"

#include <imgui_internal.h>

namespace gpufeed::ui {

bool Probe::in_sight() const {
  const ImVec2 at = middle();
  return at.x > clip_from.x && at.x < clip_to.x && at.y > clip_from.y && at.y < clip_to.y;
}

void Probes::note(const std::string& name) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindowRead();
  if (!wanted_ || window.SkipItems) return;
  const ImRect& clip = window.InnerClipRect;  // not that of a table's column
  const bool enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
  all_[name] = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), clip.Min, clip.Max, enabled};
}

}  // namespace gpufeed::ui
