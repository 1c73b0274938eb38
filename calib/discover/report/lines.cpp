// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include "sim/base/diagnostics.h"
#include "sim/base/files/paste.h"

namespace gpufeed {

ReportLines::ReportLines(std::string_view text, std::string name)
    : name_(std::move(name)), lines_(pasted_lines(text)) {
  constexpr std::size_t kMostLines = 1000000;  // a collection of /sys has some ten thousand
  if (lines_.size() > kMostLines)
    throw InputError({{{name_, static_cast<int>(kMostLines), 1},
                       fmt::format("more than {} lines: this is no one machine", kMostLines)}});
  used_.assign(lines_.size(), false);
}

void ReportLines::use(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, used_.size()); ++i) used_[i] = true;
}

std::vector<std::pair<std::size_t, std::size_t>> ReportLines::unread() const {
  const auto says_nothing = [](const std::string& line) {
    return std::ranges::none_of(line, [](unsigned char c) { return std::isalnum(c) != 0; });
  };
  std::vector<std::pair<std::size_t, std::size_t>> out;
  bool open = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (says_nothing(lines_[i])) continue;
    if (used_[i]) {
      open = false;
      continue;
    }
    if (open)
      out.back().second = i + 1;
    else
      out.emplace_back(i + 1, i + 1);
    open = true;
  }
  return out;
}

std::string ReportLines::text(std::size_t from, std::size_t to) const {
  std::string out(from, '\n');
  for (std::size_t i = from; i < std::min(to, lines_.size()); ++i) out += lines_[i] + "\n";
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

std::optional<std::string> value_after(std::string_view line, std::string_view key) {
  line = trimmed(line);
  if (!line.starts_with(key)) return {};
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with(':')) return {};
  return std::string(trimmed(line.substr(1)));
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

double leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::isfinite(value) && value > 0 && value < 1e18 ? value : 0;
}

double size_in_bytes(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || !(value > 0) || value > 1e18) return 0;
  std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
  if (unit.empty() || unit == "B" || unit == "bytes") return value;
  const auto power = std::string_view("KMGTP").find(
      static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  if (power == std::string_view::npos) return 0;
  return value * std::pow(1024.0, static_cast<double>(power) + 1);
}

}  // namespace gpufeed
