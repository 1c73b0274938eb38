// SPDX-License-Identifier: Apache-2.0
#include "ui/window/kit/widgets.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "ui/model/show/short_titles.h"

namespace gpufeed::ui {

std::string clipped_to(const std::string& text, float width, ImFont* font, float size) {
  const auto width_of = [&](const std::string& part) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, part.c_str()).x;
  };
  if (width_of(text) <= width) return text;
  std::string out = text;
  while (!out.empty()) {
    do out.pop_back();
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U);
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0U) out.pop_back();
    if (width_of(out + "…") <= width) return out + "…";
  }
  return out;
}

std::string title_to(const std::string& title, float width, ImFont* font, float size) {
  const auto forms = short_titles(title);
  const auto fits = std::ranges::find_if(forms, [&](const std::string& form) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, form.c_str()).x <= width;
  });
  return fits != forms.end() ? *fits : clipped_to(forms.back(), width, font, size);
}

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Where the word ends that begins at `at`; with its unit where it is a number.
std::size_t end_of_word(std::string_view text, std::size_t at, bool with_unit) {
  const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
  if (!with_unit || end == at || end + 1 >= text.size() || text[end] != ' ') return end;
  return is_digit(text[end - 1]) && !is_digit(text[end + 1]) ? end_of_word(text, end + 1, false)
                                                             : end;
}

}  // namespace

std::string broken_at_spaces(std::string_view text, float width, ImFont* font, float size) {
  const auto width_of = [&](std::string_view part) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, part.data(), part.data() + part.size()).x;
  };
  std::string out;
  std::size_t begin = 0;  // of the line
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = end_of_word(text, at, true);
    if (width_of(text.substr(at, end - at)) > width) end = end_of_word(text, at, false);
    const std::string_view word = text.substr(at, end - at);
    if (out.size() > begin && width_of(out.substr(begin) + std::string(word)) > width) {
      if (out.back() == ' ') out.pop_back();
      out += '\n';
      begin = out.size();
    }
    out += word;
    if (end < text.size()) out += text[end];
    if (end < text.size() && text[end] == '\n') begin = out.size();
    at = end + 1;
  }
  return out;
}

namespace {

void text_within(std::string_view text, float width) {
  const std::string lines = broken_at_spaces(text, width, ImGui::GetFont(), ImGui::GetFontSize());
  // What a single word is wider by, ImGui breaks.
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace

void wrapped_text(const std::string& text) { text_within(text, ImGui::GetContentRegionAvail().x); }

void paragraph(const Screen& screen, const std::string& text) {
  constexpr float kReadable = 620;
  text_within(text, std::min(screen.px(kReadable), ImGui::GetWindowContentRegionMax().x) -
                        ImGui::GetCursorPosX());
}

void begin_panel(const Screen& screen, const char* id, std::string_view title, ImVec2 size) {
  ImGui::BeginChild(id, size, true);
  if (!title.empty()) strong_text(screen, title);
}

void end_panel() { ImGui::EndChild(); }

void dim_text(const Screen& screen, const std::string& text) {
  const float wrap = ImGui::GetCurrentWindow()->DC.TextWrapPos;
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().dim);
  if (wrap >= 0)
    text_within(text, ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), wrap));
  else
    ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void clipped_text(const Screen& screen, const std::string& text, bool dim) {
  const std::string shown =
      clipped_to(text, ImGui::GetContentRegionAvail().x, ImGui::GetFont(), ImGui::GetFontSize());
  if (dim)
    dim_text(screen, shown);
  else
    ImGui::TextUnformatted(shown.c_str());
  if (shown == text) return;
  note(screen, "clipped " + text);
  tooltip(screen, text);
}

void problem_text(const Screen& screen, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, screen.colors().poor);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

void strong_text(const Screen& screen, std::string_view text) {
  ImGui::PushFont(screen.fonts.strong);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopFont();
}

void wrapped_tooltip(const Screen& screen, std::string_view text) {
  ImGui::BeginTooltip();
  text_within(text, screen.px(460));
  ImGui::EndTooltip();
}

void tooltip(const Screen& screen, std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    wrapped_tooltip(screen, text);
}

void legend_entry(const Screen& screen, const std::string& words, const ImVec4& color, bool first) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const float square = screen.px(11);
  const float gap = screen.px(16);
  const float room = square + screen.px(6) + ImGui::CalcTextSize(words.c_str()).x;
  if (!first && ImGui::GetItemRectMax().x + gap + room < right) ImGui::SameLine(0, gap);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float down = (ImGui::GetTextLineHeight() - square) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + down}, {at.x + square, at.y + down + square}, packed(color), screen.px(2));
  ImGui::Dummy({square, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, screen.px(6));
  dim_text(screen, words);
}

bool room_behind_item(float left) {
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetScrollX();
  return end + ImGui::GetStyle().ItemSpacing.x <= left;
}

void bring_outcome_into_sight(const Screen& screen) {
  if (!std::exchange(screen.view.outcome_awaits, false)) return;
  ImGui::ScrollToBringRectIntoView(ImGui::GetCurrentWindow(),
                                   {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void note(const Screen& screen, const std::string& name) { screen.view.probes.note(name); }

bool button(const Screen& screen, const char* label, ImVec2 size) {
  const bool pressed = ImGui::Button(label, size);
  note(screen, label);
  return pressed;
}

bool main_button(const Screen& screen, const char* label, ImVec2 size) {
  const ImVec4& accent = screen.colors().accent;
  ImGui::PushStyleColor(ImGuiCol_Button, {accent.x, accent.y, accent.z, 0.45F});
  const bool pressed = button(screen, label, size);
  ImGui::PopStyleColor();
  return pressed;
}

bool list_item(const Screen& screen, const std::string& label, bool selected) {
  const bool pressed =
      ImGui::Selectable(label.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns);
  note(screen, label);
  return pressed;
}

std::optional<std::string> value_field(const Screen& screen, const std::string& name,
                                       const std::string& now) {
  Typing& typing = screen.view.typing;
  std::string text = typing.field == name ? typing.text : now;
  ImGui::PushID(name.c_str());
  ImGui::InputText("##value", &text);
  ImGui::PopID();
  note(screen, name);
  if (ImGui::IsItemActive()) typing = {name, text};
  if (!ImGui::IsItemDeactivated()) return {};
  typing = {};
  if (!ImGui::IsItemDeactivatedAfterEdit() || text == now) return {};
  return text;
}

namespace {

/// The whole number that is all of a text; nothing where it is another text.
std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  return fault == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::string> number_field(const Screen& screen, const NumberField& number) {
  const float gap = screen.px(3);
  const auto now = whole_number(number.shown);
  const std::int64_t by = ImGui::GetIO().KeyCtrl ? 8 : 1;
  std::optional<std::string> wanted;
  const auto step = [&](const char* sign, const char* word, bool possible, std::int64_t to) {
    ImGui::BeginDisabled(!now || !possible);
    if (ImGui::Button(fmt::format("{}##{}", sign, number.name).c_str(), {screen.px(25), 0}))
      wanted = std::to_string(std::clamp(to, number.least, number.most));
    ImGui::EndDisabled();
    note(screen, fmt::format("{} {}", word, number.name));
    tooltip(screen, fmt::format("One {}; with Control, eight", word));
  };
  const std::int64_t value = now.value_or(number.least);
  step("−", "fewer", value > number.least, value - by);
  ImGui::SameLine(0, gap);
  const float rest = ImGui::GetContentRegionAvail().x - screen.px(25) - gap;
  ImGui::SetNextItemWidth(number.width > 0 ? number.width : rest);
  if (auto typed = value_field(screen, number.field, number.shown)) wanted = std::move(typed);
  ImGui::SameLine(0, gap);
  step("+", "more", value < number.most, value + by);
  return wanted;
}

void hold_typing(const Screen& screen) {
  constexpr int kFrames = 8;
  screen.view.held.frames = kFrames;
}

void hand_typing_on(ViewState& view) {
  HeldTyping& held = view.held;
  if (held.frames == 0) return;
  ImGuiIO& io = ImGui::GetIO();
  held.has_field = io.WantTextInput;
  held.letters.insert(held.letters.end(), io.InputQueueCharacters.begin(),
                      io.InputQueueCharacters.end());
  io.InputQueueCharacters.resize(0);
  if (!held.has_field) return;
  for (const ImWchar letter : held.letters) io.AddInputCharacterUTF16(letter);
  held = {};
}

void keep_typing(ViewState& view) {
  if (view.held.frames > 0 && --view.held.frames == 0) view.held = {};
}

bool text_field(const Screen& screen, const char* label, const char* hint, std::string& text) {
  const bool entered =
      ImGui::InputTextWithHint(label, hint, &text, ImGuiInputTextFlags_EnterReturnsTrue);
  note(screen, hint);
  return entered;
}

}  // namespace gpufeed::ui
