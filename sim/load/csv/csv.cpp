// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/csv.h"

#include <algorithm>

#include <fmt/format.h>

namespace gpufeed {
namespace {

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

CsvLines::CsvLines(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool CsvLines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (without_spaces(line).empty()) continue;
    split(line);
    return true;
  }
  return false;
}

void CsvLines::split(std::string_view line) {
  fields_.clear();
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t start = at;
    if (line.substr(at).starts_with('"')) {
      std::size_t end = at + 1;
      while (end < line.size() && (line[end] != '"' || line.substr(end).starts_with("\"\"")))
        end += line[end] == '"' ? 2U : 1U;
      end = std::min(end, line.size());
      fields_.push_back({line.substr(at + 1, end - at - 1), start + 1});
      at = std::min(line.find(',', end), line.size()) + 1;
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      fields_.push_back({without_spaces(line.substr(at, end - at)), start + 1});
      at = end + 1;
    }
  }
}

std::string shown_field(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out(text.substr(0, kMost));
  for (char& c : out)
    if (c < 0x20 || c > 0x7E) c = '?';
  return fmt::format("\"{}{}\"", out, text.size() > kMost ? "..." : "");
}

}  // namespace gpufeed
