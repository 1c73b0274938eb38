// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct Tab {
  const char* name;
  const char* help;
  Page page;
  Command command;
};
constexpr std::array kTabs{
    Tab{"Machine", "The machine with its loads, stages, and where time goes (Ctrl+1)",
        Page::machine, Command::show_machine},
    Tab{"Time line", "What each GPU does, step by step, and what it waits for (Ctrl+2)",
        Page::timeline, Command::show_timeline},
    Tab{"What if", "What more of each resource, and other parts and settings, would give (Ctrl+3)",
        Page::what_if, Command::show_what_if},
    Tab{"Sweep", "One or two parameters over many values, as a chart (Ctrl+4)", Page::sweep,
        Command::show_sweep},
    Tab{"Find", "The cheapest or fastest of many configurations, with its proof (Ctrl+5)",
        Page::find, Command::show_find},
    Tab{"Compare", "Configurations that were pinned, side by side (Ctrl+6)", Page::compare,
        Command::show_compare},
    Tab{"Explain", "Why a real run is not as predicted (Ctrl+7)", Page::explain,
        Command::show_explain},
    Tab{"Data path",
        "The data from where they lie to the GPUs: rate, limit and copies of each stage; and how a "
        "language model lies over the GPUs (Ctrl+8)",
        Page::path, Command::show_path}};

}  // namespace

void draw_pages(Screen& screen) {
  const ViewState& view = screen.view;
  const ImVec4& accent = screen.colors().accent;
  for (const Tab& tab : kTabs) {
    const bool chosen = view.page == tab.page;
    const float width = ImGui::CalcTextSize(tab.name).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (&tab != kTabs.data() && room_behind_item(ImGui::GetWindowContentRegionMax().x - width))
      ImGui::SameLine();
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, {accent.x, accent.y, accent.z, 0.45F});
    if (button(screen, tab.name)) carry_out(screen, tab.command);
    if (chosen) ImGui::PopStyleColor();
    tooltip(screen, tab.help);
  }
  const float end = ImGui::GetWindowContentRegionMax().x;
  const auto fits = [&](const std::string& words) {
    const float padding = 2 * ImGui::GetStyle().FramePadding.x;
    return room_behind_item(end - ImGui::CalcTextSize(words.c_str()).x - padding);
  };
  const char* const kPin = "Pin this configuration";
  const std::string progress = screen.sweeper.running() && view.page != Page::sweep
                                   ? progress_text(screen.sweeper)
                                   : std::string();
  if (!progress.empty() && fits(progress + "      " + kPin)) {
    ImGui::SameLine(0, screen.px(14));
    ImGui::AlignTextToFramePadding();
    dim_text(screen, progress);
  }
  const std::string label = std::string(fits(kPin) ? kPin : "Pin") + "###pin";
  const float width =
      ImGui::CalcTextSize(label.c_str(), nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
  if (room_behind_item(end - width)) ImGui::SameLine(end - width);
  const Pins& pins = view.compare.pins;
  ImGui::BeginDisabled(!pins.takes(screen.session));
  if (ImGui::Button(label.c_str())) carry_out(screen, Command::pin);
  note(screen, kPin);
  ImGui::EndDisabled();
  tooltip(screen, pins.all().size() == Pins::kMost
                      ? "Three are pinned already: remove one under Compare."
                      : "Keep it to compare with what you change (Ctrl+P)");
}

}  // namespace gpufeed::ui
