// SPDX-License-Identifier: Apache-2.0
#include "ui/window/views/views.h"
#include "ui/window/kit/widgets.h"

namespace gpufeed::ui {

void draw_settings(Screen& screen, ImVec2 size) {
  begin_panel(screen, "settings", "Workload", size);
  if (const auto& scenario = screen.session.scenario()) {
    draw_workload(screen, *scenario);
    ImGui::Spacing();
    ImGui::Separator();
    strong_text(screen, "Parts");
    draw_parts(screen);
  } else {
    dim_text(screen, "Nothing could be read yet.");
  }
  end_panel();
}

}  // namespace gpufeed::ui
