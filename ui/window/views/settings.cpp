// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {

void draw_settings(Screen& screen, ImVec2 size) {
  begin_panel(screen, "settings", "Workload", size);
  const auto& scenario = screen.session.scenario();
  if (scenario) draw_workload(screen, *scenario);
  if (scenario || screen.view.requested) {
    ImGui::Spacing();
    if (!scenario) dim_text(screen, "shown once the machine can be built");
    ImGui::Separator();
    strong_text(screen, "Parts");
    draw_parts(screen);
  } else {
    dim_text(screen, screen.session.standing() == Standing::wrong
                         ? "It cannot be read: see the message."
                         : "Reading…");
  }
  end_panel();
}

}  // namespace gpufeed::ui
