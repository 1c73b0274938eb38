// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// `text`, its end left out where it is wider than `width` in the font and size.
std::string clipped_to(const std::string& text, float width, ImFont* font, float size);

/// The longest form of a product's title that fits, see `short_titles`; the shortest, clipped,
/// where none does.
std::string title_to(const std::string& title, float width, ImFont* font, float size);

/// `text` in lines of at most `width`, broken at spaces alone: a number is not broken at its point,
/// nor from its unit where both fit. A word that is wider stands in a line of its own.
std::string broken_at_spaces(std::string_view text, float width, ImFont* font, float size);

/// A panel with a heading; `end_panel` must follow.
void begin_panel(const Screen& screen, const char* id, std::string_view title, ImVec2 size);
void end_panel();

/// Text in the dimmed color.
void dim_text(const Screen& screen, const std::string& text);
/// In as many lines as it takes.
void wrapped_text(const std::string& text);
/// The same, in lines that are no longer than one reads with ease.
void paragraph(const Screen& screen, const std::string& text);
/// Dimmed, in one line of at most the room that is left; the whole in a tooltip.
void clipped_text(const Screen& screen, const std::string& text, bool dim);
/// What is wrong, in as many lines as it takes.
void problem_text(const Screen& screen, const std::string& text);
/// Text in the bold font.
void strong_text(const Screen& screen, std::string_view text);
/// Explains what was drawn last, in lines of a readable width.
void tooltip(const Screen& screen, std::string_view text);
void wrapped_tooltip(const Screen& screen, std::string_view text);

/// A square of a color and what it stands for: beside the entry before it where there is room,
/// unless it is the first.
void legend_entry(const Screen& screen, const std::string& words, const ImVec4& color, bool first);

/// Whether what was drawn last ends before `left` of its window, a gap between.
bool room_behind_item(float left);

/// Scrolls what was drawn last into sight, in all panels that it lies in, where a search, sweep or
/// explanation was begun and its outcome not yet shown: the room below may not be in sight.
void bring_outcome_into_sight(const Screen& screen);

/// Names what was drawn last for tests that click.
void note(const Screen& screen, const std::string& name);

/// A button, which tests know by its label.
bool button(const Screen& screen, const char* label, ImVec2 size = {0, 0});
/// A button that stands out.
bool main_button(const Screen& screen, const char* label, ImVec2 size = {0, 0});
/// An item of a list, one line from side to side, which tests know by its label.
bool list_item(const Screen& screen, const std::string& label, bool selected = false);

/// A field that shows `now` until something else is typed in; tests know it by `name`.
/// \return what was typed in, once that is finished
std::optional<std::string> value_field(const Screen& screen, const std::string& name,
                                       const std::string& now);

/// What a field of a number shows, and where its buttons end.
struct NumberField {
  std::string name;   ///< of what it counts: tests know the buttons as "fewer NAME", "more NAME"
  std::string field;  ///< tests know the field itself by it
  std::string shown;
  std::int64_t least = 1;
  std::int64_t most = 1;
  float width = 0;  ///< of the field alone; 0: all that is left
};

/// −, the field, +; Control makes eight steps of one. \return what was typed in, or what the button
/// pressed makes of the number that is shown
std::optional<std::string> number_field(const Screen& screen, const NumberField& number);

/// What is typed until a field that was asked for can take it is kept for it: ImGui 1.86 gives the
/// focus some frames later. To be called where the focus is asked for.
void hold_typing(const Screen& screen);
/// Hands it on; to be called at the beginning and the end of a frame.
void hand_typing_on(ViewState& view);
void keep_typing(ViewState& view);

/// A field of text, which tests know by its hint. \return whether Enter was pressed
bool text_field(const Screen& screen, const char* label, const char* hint, std::string& text);

}  // namespace gpufeed::ui
