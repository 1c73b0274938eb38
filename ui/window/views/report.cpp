// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/text.h"

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {

void draw_report(Screen& screen, const Result& result, ImVec2 size) {
  begin_panel(screen, "report", "What this work attains", size);
  ImGui::PushFont(screen.fonts.fixed);
  ImGui::BeginChild("text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::TextUnformatted(to_text(result).c_str());
  ImGui::EndChild();
  ImGui::PopFont();
  end_panel();
}

}  // namespace gpufeed::ui
