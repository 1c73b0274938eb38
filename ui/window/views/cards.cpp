// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/model/scenario.h"
#include "ui/model/decide/advice_rows.h"
#include "ui/window/kit/widgets.h"
#include "ui/window/views/views.h"

namespace gpufeed::ui {
namespace {

ImVec4 color_of(Mood mood, const Palette& colors) {
  return mood == Mood::good ? colors.good : mood == Mood::poor ? colors.poor : colors.text;
}

/// In the large font, smaller where it would not fit.
void draw_value(const Screen& screen, const Card& card) {
  ImFont* const font = screen.fonts.large;
  const float room = ImGui::GetContentRegionAvail().x;
  const float wide = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, card.value.c_str()).x;
  const float least = 0.62F;
  constexpr float kRounding = 0.97F;  // letters are as wide as whole pixels
  const float fitting = kRounding * room / std::max(wide, 1.0F);
  const float size = font->FontSize * std::max(least, std::min(1.0F, fitting));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x, at.y + (font->FontSize - size) / 2},
                                      packed(color_of(card.mood, screen.colors())),
                                      clipped_to(card.value, room, font, size).c_str());
  ImGui::Dummy({room, font->FontSize});
}

/// Where a line of this width ends, at a blank: never within a number.
std::size_t line_end(const std::string& words, float room) {
  std::size_t end = 0;
  for (std::size_t at = words.find(' '); at != std::string::npos; at = words.find(' ', at + 1))
    if (ImGui::CalcTextSize(words.c_str(), words.c_str() + at).x <= room) end = at;
  return end;
}

/// Two lines, or one that goes on in the second.
void draw_details(const Screen& screen, const Card& card) {
  const float room = ImGui::GetContentRegionAvail().x;
  const bool long_one = ImGui::CalcTextSize(card.detail.c_str()).x > room;
  const std::size_t end = card.more.empty() && long_one ? line_end(card.detail, room) : 0;
  clipped_text(screen, end > 0 ? card.detail.substr(0, end) : card.detail, true);
  clipped_text(screen, end > 0 ? card.detail.substr(end + 1) : card.more, true);
}

/// What the samples of the job are.
std::string samples_of(const Scenario& scenario) {
  const auto* const reads = scenario.workload.find<ReadsDataset>();
  if (!reads || !reads->dataset || !reads->dataset->content) return "samples";
  switch (*reads->dataset->content) {
    case Content::images:
      return "images";
    case Content::video:
    case Content::audio:
      return "clips";
    case Content::volumes:
      return "volumes";
    case Content::positions:
      return "positions";
    case Content::tables:
      return "rows";
    case Content::text:
      break;
  }
  return "samples";
}

/// The change that is likely to help for the least money, and of these the one that helps most;
/// nothing where none is known.
std::optional<std::size_t> cheapest_fix(const Advice& advice) {
  if (!advice.what_if) return {};
  const std::vector<WhatIfRow> changes = shown_changes(*advice.what_if);
  const auto cost = [&](std::size_t i) {
    return changes[i].is_free ? 0 : changes[i].price_change_USD.value_or(1e12);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    constexpr double kLeast = 0.005;  // less is no fix
    if (changes[i].gain < kLeast || !changes[i].is_likely() || i >= advice.can_try.size() ||
        !advice.can_try[i])
      continue;
    if (!best || cost(i) < cost(*best) ||
        (cost(i) == cost(*best) && changes[i].gain > changes[*best].gain))
      best = i;
  }
  return best;
}

/// One line of one height, whatever is known: the fix and its button.
void draw_fix(Screen& screen) {
  ImGui::AlignTextToFramePadding();
  strong_text(screen, "Cheapest fix");
  ImGui::SameLine();
  const bool current = screen.session.standing() == Standing::current;
  const Advice& advice = screen.adviser.advice();
  const auto best = current ? cheapest_fix(advice) : std::nullopt;
  if (!best) {
    const bool asked = takes_advice(*screen.session.answered());
    const bool known = current && advice.what_if && advice.parts_tried;
    return clipped_text(screen,
                        !asked                    ? "asked of training alone"
                        : !current                ? "…"
                        : !advice.problem.empty() ? advice.problem
                        : known                   ? "no single change is likely to make it faster"
                                                  : "finding out…",
                        true);
  }
  const WhatIfRow change = shown_changes(*advice.what_if)[*best];  // trying it begins anew
  const ChangeRow row = change_rows(*advice.what_if)[*best];
  if (main_button(screen, "Try the fix")) return try_change(screen, change);
  tooltip(screen, "Make this change; Undo takes it back");
  ImGui::SameLine();
  clipped_text(screen, fmt::format("{}, {}: {}", row.gain, price_in_words(row), row.change), false);
}

}  // namespace

void draw_cards(Screen& screen, const Result& result) {
  const Session& session = screen.session;
  const bool current = session.standing() == Standing::current;
  const Told& titled = screen.view.titled;
  auto cards = cards_of(result, {!current || session.is_whole(), samples_of(*session.answered()),
                                 titled.without_price, titled.without_power});
  // A figure of another scenario is not shown as if it were of this one.
  if (session.standing() == Standing::wrong)
    for (Card& card : cards) card = {card.title, "–", "cannot be simulated", "as it is", "", {}};
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  constexpr float kLeastForAll = 1080;
  const std::size_t beside = room < screen.px(kLeastForAll) ? (cards.size() + 1) / 2 : cards.size();
  const auto count = static_cast<float>(beside);
  const float height =
      screen.px(18) + screen.fonts.large->FontSize + 3 * ImGui::GetTextLineHeightWithSpacing();
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card& card = cards[i];
    if (i % beside > 0) ImGui::SameLine();
    const float width = (room - gap * (count - 1)) / count;
    ImGui::BeginChild(card.title.c_str(), {width, height}, true,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    clipped_text(screen, card.title, true);
    draw_value(screen, card);
    draw_details(screen, card);
    ImGui::EndChild();
    note(screen, "card " + card.title);
    tooltip(screen, card.title + ": " + card.value + "\n" + card.why);
  }
  draw_fix(screen);
}

}  // namespace gpufeed::ui
