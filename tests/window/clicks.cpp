// SPDX-License-Identifier: Apache-2.0
#include "tests/window/clicks.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "ui/model/work/problems.h"

namespace gpufeed::ui {
namespace {

constexpr int kSettled = 4;  ///< frames until sizes are known

/// Numbers of keys as a backend would give them.
void name_keys(ImGuiIO& io) {
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
}

}  // namespace

Clicks::Clicks(const Catalog& catalog, const std::string& examples) : app_(catalog, examples, {}) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1600, 1000};
  io.DeltaTime = 1.0F / 60;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTextCursorBlink = false;
  name_keys(io);
  app_.view().probes.begin();
  frames(kSettled);
}

void Clicks::frames(int count) {
  for (int i = 0; i < count; ++i) {
    app_.poll();
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    if (app_.refresh_fonts() || !ImGui::GetIO().Fonts->IsBuilt())
      ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::NewFrame();
    app_.draw();
    ImGui::Render();
    app_.shown();
  }
}

void Clicks::resize(float width, float height) {
  ImGui::GetIO().DisplaySize = {width, height};
  frames(kSettled);
}

void Clicks::settle() {
  app_.finish();
  frames(kSettled);
}

void Clicks::settle_answered() {
  settle();
  for (const auto& problem : session().problems()) MESSAGE(shown_line(problem));
  REQUIRE(session().standing() == Standing::current);
}

const Probe& Clicks::at(const std::string& name) {
  const auto found = probes().find(name);
  if (found == probes().end()) {
    std::vector<std::string> names;
    for (const auto& [known, probe] : probes()) names.push_back(known);
    FAIL(fmt::format("nothing is called \"{}\"; there are: {}", name, fmt::join(names, ", ")));
  }
  return found->second;
}

void Clicks::wheel(ImVec2 where, float turns) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = where;
  frames();
  io.MouseWheel = turns;
  frames(2);
}

Probe Clicks::bring_into_sight(const std::string& name) {
  Probe probe = at(name);
  constexpr int kMostTurns = 400;
  for (int i = 0; i < kMostTurns && !probe.in_sight(); ++i) {
    const ImVec2 inside{(probe.clip_from.x + probe.clip_to.x) / 2,
                        (probe.clip_from.y + probe.clip_to.y) / 2};
    wheel(inside, probe.middle().y > inside.y ? -1.0F : 1.0F);
    probe = at(name);
  }
  if (!probe.in_sight()) FAIL(fmt::format("\"{}\" cannot be brought into sight", name));
  return probe;
}

void Clicks::press(ImVec2 where) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = where;
  frames(2);
  io.MouseDown[0] = true;
  frames();
  io.MouseDown[0] = false;
  frames();
}

void Clicks::click(const std::string& name) {
  INFO("click " << name);
  const Probe probe = bring_into_sight(name);
  REQUIRE(probe.enabled);
  press(probe.middle());
  ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
  frames(kSettled);
  ++actions_;
}

void Clicks::double_click(const std::string& name) {
  const Probe probe = bring_into_sight(name);
  press(probe.middle());
  press(probe.middle());
  frames(kSettled);
  ++actions_;
}

void Clicks::key(ImGuiKey key) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeysDown[key] = true;
  frames();
  io.KeysDown[key] = false;
  frames(kSettled);
}

void Clicks::type(const std::string& name, const std::string& text) {
  INFO("type " << text << " into " << name);
  const Probe probe = bring_into_sight(name);
  REQUIRE(probe.enabled);
  press(probe.middle());
  ImGuiIO& io = ImGui::GetIO();
  REQUIRE(io.WantTextInput);
  io.KeyCtrl = true;
  io.KeyMods = ImGuiKeyModFlags_Ctrl;
  key(ImGuiKey_A);
  io.KeyCtrl = false;
  io.KeyMods = ImGuiKeyModFlags_None;
  key(ImGuiKey_Delete);
  io.AddInputCharactersUTF8(text.c_str());
  frames(2);
  key(ImGuiKey_Enter);
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  frames(kSettled);
  ++actions_;
}

void Clicks::command(Command command) {
  app_.carry_out(command);
  frames(kSettled);
  ++actions_;
}

}  // namespace gpufeed::ui
