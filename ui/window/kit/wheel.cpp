// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/wheel.h"

#include <imgui_internal.h>

#include <algorithm>

namespace gpufeed::ui {
namespace {

/// The window, or the nearest one around it, that the wheel scrolls; null where none does.
ImGuiWindow* scrolled(ImGuiWindow* window) {
  while (window &&
         (window->ScrollMax.y == 0 || (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) != 0))
    window = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? window->ParentWindow : nullptr;
  return window;
}

}  // namespace

void hand_wheel_on() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0 || io.KeyCtrl || io.KeyShift) return;
  ImGuiWindow* const inner = scrolled(ImGui::GetCurrentContext()->HoveredWindow);
  if (!inner || (inner->Flags & ImGuiWindowFlags_ChildWindow) == 0) return;
  const bool ends =
      io.MouseWheel > 0 ? inner->Scroll.y <= 0 : inner->Scroll.y >= inner->ScrollMax.y;
  ImGuiWindow* const outer = ends ? scrolled(inner->ParentWindow) : nullptr;
  if (!outer) return;
  // As far as ImGui goes.
  const float step = std::min(5 * outer->CalcFontSize(), 0.67F * outer->InnerRect.GetHeight());
  ImGui::SetScrollY(outer, outer->Scroll.y - io.MouseWheel * step);
}

}  // namespace gpufeed::ui
