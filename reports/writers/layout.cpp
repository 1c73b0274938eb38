// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 3600;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Characters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

/// The first `count` characters.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (!continues(text[end]) && count-- == 0) break;
  return text.substr(0, end);
}

bool is_blank(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What must stay on one line: the words, each number with the unit or noun that follows it.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const auto begin = std::ranges::find_if_not(text, is_blank);
    const auto end = std::find_if(begin, text.end(), is_blank);
    if (begin == end) return words;
    const std::string word(begin, end);
    const bool follows_number = !words.empty() && is_digit(words.back().back());
    if (follows_number && !is_digit(word.front()))
      words.back() += " " + word;
    else
      words.push_back(word);
    text = {end, text.end()};
  }
}

std::string in_unit(double seconds, double unit) {
  if (unit == kHour && seconds < 100 * kHour) return fmt::format("{:.2f} h", seconds / kHour);
  if (unit == kHour) return text_number(seconds / kHour) + " h";
  if (unit == kMinute) return fmt::format("{:.1f} min", seconds / kMinute);
  return fmt::format("{:.1f} s", seconds);
}

double unit_of(double seconds) {
  if (seconds >= kHour * (1 - 1e-3)) return kHour;  // 59.97 min would be written as 60.0 min
  return seconds >= kMinute * (1 - 1e-3) ? kMinute : 1;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& whole : words_of(text)) {
    std::string_view word = whole;
    if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    for (; length(word) > width; word.remove_prefix(head(word, width).size())) {
      lines.back() = head(word, width);
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  return fmt::format(
      "{}", fmt::join(lines_of(text, kScreenWidth - indent), "\n" + std::string(indent, ' ')));
}

std::string clipped(std::string_view text, std::size_t width) {
  std::string line = fmt::format("{}", fmt::join(words_of(text), " "));
  if (length(line) <= width) return line;
  return std::string(head(line, width - 3)) + "...";
}

std::string labeled(std::string_view label, std::string_view text, std::size_t indent) {
  return fmt::format("{:<{}}{}\n", label, indent, wrapped(text, indent));
}

std::string percent(double share) {
  constexpr double kShown = 0.0005;  // what one decimal of a percent can tell apart
  if (share <= 0 || share == 1) return fmt::format("{} %", share == 1 ? 100 : 0);
  if (share < kShown) return "<0.1 %";
  if (share < 1 && share > 1 - kShown) return ">99.9 %";
  return fmt::format("{:.1f} %", 100 * share);
}

std::string idle_text(std::int64_t gpus, double busy) {
  const auto all = static_cast<double>(gpus);
  const double idle = all * (1 - busy);
  const std::string of_all = " of " + text_number(all, 15);
  const double last_shown = gpus < 2 ? 0.01 : gpus < 10 ? 0.1 : 1;
  if (idle < all && idle >= all - last_shown / 2)
    return "more than " + text_number(all - last_shown, 15) + of_all;
  // Two digits of so many could be more than there are.
  const bool whole = gpus >= 10 && idle > 0.9 * all;
  return text_number(whole ? std::round(idle) : idle, whole ? 15 : 2) + of_all;
}

std::string time_text(double seconds, double beside) {
  if (!std::isfinite(seconds)) return "forever";
  if (seconds == 0) return "0 s";
  const double unit = unit_of(beside);
  if (beside >= 1 && seconds >= unit / 10) return in_unit(seconds, unit);
  if (const double own = unit_of(seconds); own > 1) return in_unit(seconds, own);
  for (const auto& [name, size] : {std::pair{"s", 1.0}, {"ms", 1e-3}})
    if (seconds >= size) return fmt::format("{} {}", text_number(seconds / size, 3), name);
  return fmt::format("{} us", text_number(seconds / 1e-6, 3));
}

std::string bar(const std::vector<double>& shares, std::string_view letters) {
  constexpr std::size_t kPlaces = 20;
  std::string out;
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i];
    const double end = std::clamp(std::round(sum * kPlaces), 0.0, double{kPlaces});
    out.resize(std::max(out.size(), static_cast<std::size_t>(end)), letters[i]);
  }
  return fmt::format("[{:.<20}]", out);
}

}  // namespace gpufeed
