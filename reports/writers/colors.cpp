// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/colors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/writers/activities.h"
#include "reports/writers/layout.h"

namespace gpufeed {
namespace {

constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";

/// Those of xterm's colors that come nearest to Okabe and Ito's, in the order of kActivityTexts.
constexpr std::array kColors{32, 74, 166, 178, 227, 175, 245, 36};

/// 0 where the letter has no color.
int color_of(char letter) {
  const auto found = std::ranges::find(kActivityTexts, letter, &ActivityText::letter);
  return found == kActivityTexts.end()
             ? 0
             : kColors[static_cast<std::size_t>(found - kActivityTexts.begin())];
}

/// The letters of the bar that `text` begins with, in brackets; empty where it begins with none.
std::string_view bar_in(std::string_view text) {
  constexpr std::size_t kPlaces = 20;
  if (text.size() < kPlaces + 2 || text[0] != '[' || text[kPlaces + 1] != ']') return {};
  const std::string_view letters = text.substr(1, kPlaces);
  const bool all = std::ranges::all_of(letters, [](char c) { return c == '.' || color_of(c) > 0; });
  return all ? letters : std::string_view();
}

std::string colored_bar(std::string_view letters) {
  std::string out;
  int now = 0;
  for (const char letter : letters) {
    const int color = color_of(letter);
    if (color != now) out += color > 0 ? fmt::format("\x1b[38;5;{}m", color) : std::string(kPlain);
    now = color;
    out += letter;
  }
  return out + std::string(now > 0 ? kPlain : "");
}

std::string colored_line(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view letters = bar_in(line.substr(at));
    if (letters.empty()) {
      out += line[at];
      continue;
    }
    out += "[" + colored_bar(letters) + "]";
    at += letters.size() + 1;
  }
  for (const std::string_view label : {"Bottleneck ", "Warning "})
    if (line.starts_with(label))
      out = std::string(kBold) + out.substr(0, label.size() - 1) + std::string(kPlain) +
            out.substr(label.size() - 1);
  return out;
}

}  // namespace

std::string colored(std::string_view screen) {
  std::string out;
  while (!screen.empty()) {
    const std::size_t end = std::min(screen.find('\n'), screen.size() - 1);
    out += colored_line(screen.substr(0, end + 1));
    screen.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace gpufeed
