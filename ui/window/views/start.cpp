// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ui/model/build/cluster_form.h"
#include "ui/model/build/serving_form.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

void centered(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room / 2));
  ImGui::TextUnformatted(text.c_str());
}

void begin(Screen& screen) {
  screen.view.camera = Camera();
  screen.view.selected.clear();
}

/// What a window that ended without being closed left behind.
void draw_left_behind(Screen& screen, ImVec2 size) {
  if (screen.view.left_behind.empty()) return;
  const LeftBehind left = screen.view.left_behind.front();
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
  centered("The window ended before changes of " +
           std::filesystem::path(left.name).filename().string() + " were saved.");
  ImGui::PopStyleColor();
  ImGui::SetCursorPosX((size.x - screen.px(250)) / 2);
  const bool recovers = main_button(screen, "Recover them");
  ImGui::SameLine();
  const bool discards = button(screen, "Discard them");
  ImGui::Spacing();
  if (!recovers && !discards) return;
  if (recovers) {
    begin(screen);
    screen.session.recover(left.text, left.name);
  }
  Keeping::discard(left);
  screen.view.left_behind.erase(screen.view.left_behind.begin());
}

void open_file(Screen& screen, const std::filesystem::path& file) {
  begin(screen);
  screen.session.open(file);
}

/// A list below a heading, as high as the room that is left.
bool begin_list(const Screen& screen, const char* heading, float width) {
  ImGui::BeginChild(heading, {width, 0});
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  ImGui::TextUnformatted(heading);
  ImGui::PopStyleColor();
  ImGui::Separator();
  return ImGui::BeginChild("list", {0, 0});
}

void end_list() {
  ImGui::EndChild();
  ImGui::EndChild();
}

/// A line: what it is called, and dimmed what it is, where there is room from `left` on.
bool line(const Screen& screen, const std::string& words, const std::string& what,
          const std::string& name, float left) {
  const float room = ImGui::GetContentRegionAvail().x;
  const bool both = room > left + screen.px(200);
  const std::string shown = clipped_to(words, (both ? left : room) - screen.px(10),
                                       ImGui::GetFont(), ImGui::GetFontSize());
  const bool pressed = ImGui::Selectable(fmt::format("{}##{}", shown, name).c_str());
  note(screen, name);
  if (shown != words || !both) tooltip(screen, words + "\n" + what);
  if (!both) return pressed;
  ImGui::SameLine(left);
  clipped_text(screen, what, true);
  return pressed;
}

/// Examples, and files that were opened before, side by side.
void draw_lists(Screen& screen, ImVec2 size) {
  const std::vector<std::string> recent = screen.view.remembered.recent;
  const float gap = screen.px(24);
  const float whole = std::min(size.x * 0.94F, screen.px(recent.empty() ? 860 : 1160));
  const float each = recent.empty() ? whole : (whole - gap) / 2;
  ImGui::SetCursorPosX((size.x - whole) / 2);
  if (begin_list(screen, "Start from an example", each))
    for (const Example& example : screen.examples)
      if (line(screen, example.question, example.title, example.folder, screen.px(460)))
        open_file(screen, example.file);
  end_list();
  if (recent.empty()) return;
  ImGui::SameLine(0, gap);
  if (begin_list(screen, "Opened before", each))
    for (const std::string& file : recent) {
      const std::filesystem::path path(file);
      if (line(screen, path.filename().string(), path.parent_path().string(), file, screen.px(220)))
        open_file(screen, path);
    }
  end_list();
}

}  // namespace

void draw_start(Screen& screen, ImVec2 size) {
  ImGui::BeginChild("start", size, true);
  ImGui::PushFont(screen.fonts.large);
  centered("Will this machine keep its GPUs busy?");
  ImGui::PopFont();
  draw_left_behind(screen, size);
  constexpr float kJobHeight = 330;
  draw_job_start(screen, std::min(screen.px(kJobHeight), size.y * 0.6F));
  const float width = std::min(screen.px(250), size.x * 0.184F);
  ImGui::SetCursorPosX((size.x - 5 * width - 4 * ImGui::GetStyle().ItemSpacing.x) / 2);
  ImGui::PushID("start");
  if (main_button(screen, "Build a machine…  (Ctrl+N)", {width, 0}))
    carry_out(screen, Command::build);
  ImGui::SameLine();
  if (main_button(screen, "Describe this machine", {width, 0}))
    carry_out(screen, Command::this_machine);
  tooltip(screen, "What is found of the machine that this runs on, as gpufeed discover tells it");
  ImGui::SameLine();
  if (main_button(screen, "Serve a language model", {width, 0})) {
    begin(screen);
    screen.session.start(usual_serving(), "serving.toml");
  }
  tooltip(screen,
          "Prompts and answers through an engine that batches them, with KV caches in tiers");
  ImGui::SameLine();
  if (main_button(screen, "Share a cluster", {width, 0})) {
    begin(screen);
    screen.session.start(usual_cluster(), "cluster.toml");
  }
  tooltip(screen, "Jobs of several teams on machines and stores that they share, under a queue");
  ImGui::SameLine();
  if (main_button(screen, "Open a file…  (Ctrl+O)", {width, 0})) carry_out(screen, Command::open);
  ImGui::PopID();
  draw_lists(screen, size);
  ImGui::EndChild();
}

void draw_loading(Screen& screen, ImVec2 size) {
  ImGui::BeginChild("loading", size, true);
  ImGui::Dummy({0, size.y * 0.4F});
  centered("Simulating " + screen.session.file().filename().string() + " …");
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  centered("The first answer is on its way.");
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

}  // namespace gpufeed::ui
