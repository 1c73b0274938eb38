// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {

void draw_settings(Screen& screen, ImVec2 size) {
  begin_panel(screen, "settings", "Parts", size);
  const auto& scenario = screen.session.scenario();
  if (scenario || screen.view.requested) {
    draw_parts(screen);
    ImGui::Separator();
    strong_text(screen, "Job");
    if (scenario)
      draw_workload(screen, *scenario);
    else
      dim_text(screen, "shown once the machine can be built");
  } else {
    dim_text(screen, screen.session.standing() == Standing::wrong
                         ? "It cannot be read: see the message."
                         : "Reading…");
  }
  end_panel();
}

}  // namespace gpufeed::ui
