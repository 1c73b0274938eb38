// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/requested_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

struct KindWords {
  const char* key;
  const char* many;
  const char* add;
};
constexpr KindWords kKinds[] = {{"cpu", "Processors", ""},
                                {"gpu", "GPUs", "Add GPUs…"},
                                {"drives", "Data drives", "Add drives…"},
                                {"nics", "Network cards", "Add cards…"}};

const KindWords& words_of(const std::string& key) {
  return *std::ranges::find_if(kKinds, [&](const KindWords& kind) { return kind.key == key; });
}

std::string title_of(const Screen& screen, const std::string& kind, const std::string& product) {
  if (const auto* choices = screen.lists.of(kind))
    if (const auto found = std::ranges::find(*choices, product, &Choice::name);
        found != choices->end())
      return found->title;
  return product;
}

/// The button at the right end of the line, or of the next one where that has no room.
bool change_button(const Screen& screen, const std::string& name) {
  const float width = screen.px(84);
  const float left = ImGui::GetWindowContentRegionMax().x - width;
  if (room_behind_item(left))
    ImGui::SameLine(left);
  else
    ImGui::SetCursorPosX(left);
  const bool pressed = ImGui::Button(("Change…##" + name).c_str(), {width, 0});
  note(screen, "Change " + name);
  tooltip(screen, "Take another product of the catalog");
  return pressed;
}

void apply(Screen& screen, const RequestedParts& parts) {
  screen.session.apply([&](const std::string& text) { return with_parts(text, parts); });
}

constexpr std::int64_t kMostParts = 1024;

/// A count as typed in; where it is none, it says so.
std::optional<std::int64_t> count_in(Screen& screen, const std::string& typed) {
  std::int64_t count = 0;
  const char* const end = typed.data() + typed.size();
  const auto [rest, fault] = std::from_chars(typed.data(), end, count);
  if (fault == std::errc{} && rest == end && count >= 1 && count <= kMostParts) return count;
  screen.view.message =
      fmt::format("A count must be a whole number from 1 to {}; found \"{}\"", kMostParts, typed);
  return {};
}

void draw_count(Screen& screen, const RequestedParts& parts, std::size_t at) {
  const std::string name = fmt::format("{} {}", parts.key, at);
  const auto wanted = number_field(
      screen,
      {name, "count " + name, std::to_string(parts.parts[at].count), 1, kMostParts, screen.px(48)});
  const auto count = wanted ? count_in(screen, *wanted) : std::nullopt;
  if (!count) return;
  RequestedParts changed = parts;
  changed.parts[at].count = *count;
  apply(screen, changed);
}

void draw_part(Screen& screen, const RequestedParts& parts, std::size_t at) {
  const std::string name = fmt::format("{} {}", parts.key, at);
  const std::string title = title_of(screen, parts.kind, parts.parts[at].product);
  const float numbers = ImGui::CalcTextSize("Numbers…").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float right = ImGui::GetWindowContentRegionMax().x - numbers;
  ImGui::TextUnformatted(
      title_to(title, right - 2 * screen.px(12), ImGui::GetFont(), ImGui::GetFontSize()).c_str());
  tooltip(screen, title);
  ImGui::SameLine(right);
  if (ImGui::SmallButton(("Numbers…##" + name).c_str()))
    show_numbers(screen, parts.kind, parts.parts[at].product, title);
  note(screen, "Numbers of " + name);
  tooltip(screen, "What is known of it, and your own values");
  draw_count(screen, parts, at);
  if (parts.key != "cpu") {
    ImGui::SameLine();
    if (ImGui::Button(("Leave out##" + name).c_str())) {
      RequestedParts changed = parts;
      changed.parts.erase(changed.parts.begin() + static_cast<std::ptrdiff_t>(at));
      apply(screen, changed);
    }
    note(screen, "leave out " + name);
  }
  if (change_button(screen, name)) choose(screen, choosing_for(parts, at));
}

void draw_kind(Screen& screen, const RequestedParts& parts) {
  const KindWords& words = words_of(parts.key);
  ImGui::Separator();
  dim_text(screen, words.many);
  if (parts.standard && !parts.parts.empty()) {
    ImGui::SameLine();
    dim_text(screen, "(the chassis comes with these)");
  }
  for (std::size_t at = 0; at < parts.parts.size(); ++at) draw_part(screen, parts, at);
  if (parts.key == "cpu" && !parts.parts.empty()) return;
  if (button(screen, parts.key == "cpu" ? "Add processors…" : words.add))
    choose(screen, choosing_for(parts, parts.parts.size()));
}

void draw_memory(Screen& screen, const RequestedMachine& requested) {
  ImGui::Separator();
  ImGui::AlignTextToFramePadding();
  dim_text(screen, "Memory");
  tooltip(screen,
          "Of all processors together: \"1 TB\", or modules: \"16 x 64 GB\". It must fill their "
          "memory channels evenly.");
  ImGui::SameLine(screen.px(126));
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (const auto typed = value_field(screen, "system.memory", requested.memory))
    screen.session.apply([&](const std::string& text) { return with_memory(text, *typed); });
}

}  // namespace

void draw_requested_machine(Screen& screen, const RequestedMachine& requested) {
  ImGui::AlignTextToFramePadding();
  dim_text(screen, "Chassis");
  if (change_button(screen, "chassis"))
    choose(screen, choosing_for_key("chassis", "Another chassis for these parts", "system.chassis",
                                    requested.chassis));
  clipped_text(screen, title_of(screen, "chassis", requested.chassis), false);
  for (const RequestedParts& parts : requested.parts) {
    draw_kind(screen, parts);
    if (parts.key == "cpu") draw_memory(screen, requested);
  }
}

}  // namespace gpufeed::ui
