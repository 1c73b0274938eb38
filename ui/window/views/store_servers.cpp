// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/model/fields/storage_software.h"
#include "ui/model/work/problems.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

constexpr std::int64_t kMostServers = 100000;

KeyPath path_of(const RequestedStore& store, const ServersKey& key) {
  return key.path(KeyPath("store") / store.name);
}

/// The words that may stand at a key, or none where it is typed in.
std::vector<std::string> words_for(const Screen& screen, std::string_view key) {
  if (key == "software") return screen.session.catalog().names(StorageSoftware::kKind);
  if (key == "encrypted") return {"true", "false"};
  return {};
}

void set(Screen& screen, const KeyPath& path, const std::string& words) {
  if (words.empty())
    screen.session.reset(path);
  else
    screen.session.edit_words(path, words);
}

/// Tests know it as "NAME KEY", an item of its list as "NAME KEY=WORD".
void draw_value(Screen& screen, const RequestedStore& store, const ServersKey& key,
                const std::string& now) {
  const std::string name = store.name + " " + key.key;
  const KeyPath path = path_of(store, key);
  const std::string_view is = key.key;
  if (is == "servers" || is == "failed_servers") {
    const NumberField field{name, name, now.empty() ? "0" : now, is == "servers" ? 1 : 0,
                            kMostServers};
    if (const auto typed = number_field(screen, field)) set(screen, path, *typed);
    return;
  }
  const auto words = words_for(screen, is);
  if (words.empty()) {
    if (const auto typed = value_field(screen, name, now)) set(screen, path, *typed);
    return;
  }
  const bool open = ImGui::BeginCombo(("##" + name).c_str(), now.empty() ? "not set" : now.c_str());
  note(screen, name);
  if (!open) return;
  if (ImGui::Selectable("not set", now.empty())) set(screen, path, "");
  for (const std::string& word : words) {
    if (ImGui::Selectable(word.c_str(), word == now)) set(screen, path, word);
    note(screen, fmt::format("{}={}", name, word));
  }
  ImGui::EndCombo();
}

/// What is wrong with the key, or with what lies within it.
std::string problem_at(const Screen& screen, const KeyPath& path) {
  const auto& problems = screen.session.problems();
  const auto found = std::ranges::find_if(
      problems, [&](const Problem& problem) { return problem.subject.is_within(path); });
  return found == problems.end() ? "" : first_sentence({*found});
}

}  // namespace

void draw_servers(Screen& screen, const RequestedStore& store) {
  constexpr float kIndent = 64, kApart = 6;
  float widest = 0;
  for (const ServersKey& key : kServersKeys)
    widest = std::max(widest, ImGui::CalcTextSize(key.label).x);
  ImGui::PushID(store.name.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {screen.px(6), screen.px(1)});
  for (const ServersKey& key : kServersKeys) {
    const auto now = store.servers.find(key.key);
    if (now == store.servers.end()) continue;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + screen.px(kIndent));
    ImGui::AlignTextToFramePadding();
    dim_text(screen, key.label);
    tooltip(screen, key.help);
    ImGui::SameLine(ImGui::GetCursorStartPos().x + screen.px(kIndent + kApart) + widest);
    ImGui::SetNextItemWidth(-FLT_MIN);
    draw_value(screen, store, key, now->second);
    const std::string problem = problem_at(screen, path_of(store, key));
    if (problem.empty()) continue;
    problem_text(screen, problem);
    note(screen, fmt::format("problem of {} {}", store.name, key.key));
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
}

}  // namespace gpufeed::ui
