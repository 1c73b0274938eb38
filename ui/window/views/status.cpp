// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/writers/layout.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

std::string standing_in_words(const Session& session, bool show_time) {
  switch (session.standing()) {
    case Standing::empty:
      return "Ready";
    case Standing::loading:
    case Standing::updating:
      return "Simulating…";
    case Standing::wrong:
      return "Cannot be simulated";
    case Standing::current:
      return show_time ? "Answered in " + time_text(session.answer_seconds()) : "Answered";
  }
  return "";
}

/// How fast the window is; empty before the first edit.
std::string pace_in_words(const Pace& pace) {
  const auto edit = pace.edits().median();
  if (!edit) return "";
  std::string words = fmt::format("   ·   edit to answer {} (median of {})", time_text(*edit),
                                  pace.edits().count());
  if (const auto frame = pace.frames().median())
    words += fmt::format(", frame {}", time_text(*frame));
  return words;
}

}  // namespace

void draw_status(Screen& screen) {
  const Session& session = screen.session;
  std::string words = standing_in_words(session, screen.view.show_times);
  if (session.standing() == Standing::current && session.result()) {
    const Result& result = *session.result();
    words += fmt::format("   ·   {} engine, seed {}", result.engine, result.seed);
  }
  if (screen.view.show_times) words += pace_in_words(screen.view.pace);
  if (!session.file().empty()) words += "   ·   " + session.file().string();
  const bool refused = !session.refusal().empty();
  if (refused) words = "Not changed: " + session.refusal();
  const bool said = !screen.view.message.empty();
  if (said) words = screen.view.message;
  if (refused) ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
  clipped_text(screen, words, !refused && !said);
  if (refused) ImGui::PopStyleColor();
}

}  // namespace gpufeed::ui
