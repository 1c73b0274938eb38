// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/report_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sim/base/diagnostics.h"
#include "sim/base/files/paste.h"
#include "sim/base/printable.h"

namespace gpufeed {

ReportLines::ReportLines(std::string_view text, std::string name, std::size_t most_lines)
    : name_(std::move(name)), lines_(pasted_lines(text)) {
  if (lines_.size() > most_lines)
    throw InputError(
        {{{name_, static_cast<int>(most_lines), 1},
          fmt::format("more than {} lines: nothing that is read here has so many", most_lines)}});
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

Names unread_in_words(const ReportLines& lines) {
  constexpr std::size_t kMostTold = 20;
  constexpr std::size_t kWords = 40;
  Names told;
  for (const auto& [from, to] : lines.unread()) {
    const std::string_view first = trimmed(lines[from - 1]);
    const bool heading = from == to && (first.starts_with("$ ") || first.starts_with("# ") ||
                                        first.starts_with("==>") || first.starts_with("```") ||
                                        is_prompt(first) || first.ends_with(':'));
    if (heading) continue;
    if (told.size() == kMostTold) {
      told.push_back(fmt::format("{}: more lines that nothing here knows", lines.name()));
      return told;
    }
    told.push_back(fmt::format(
        "{}, {}: not known (\"{}\")", lines.name(),
        from == to ? fmt::format("line {}", from) : fmt::format("lines {} to {}", from, to),
        printable(std::string(first.substr(0, kWords)))));
  }
  return told;
}

}  // namespace gpufeed
