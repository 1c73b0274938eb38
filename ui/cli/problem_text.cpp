// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/problem_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

constexpr std::size_t kLongest = 160;  ///< a line that is still worth showing, in bytes

/// Of files that were read before, and may have gone since.
class Lines {
 public:
  /// Nothing where there is none, or it is too long for a terminal.
  std::optional<std::string_view> at(const Location& where) {
    if (where.line == 0) return {};
    const std::string_view text = text_of(where.file);
    std::size_t begin = 0;
    for (int line = 1; line < where.line && begin < text.size(); ++line)
      begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.size() > kLongest) return {};
    return line;
  }

 private:
  const std::string& text_of(const std::string& file) {
    const auto [known, fresh] = texts_.try_emplace(file);
    Diagnostics reported_before;
    if (fresh && !came_with_program(file))
      known->second = read_text_file(file, kMaxTextSize, reported_before).value_or("");
    return known->second;
  }

  std::map<std::string, std::string> texts_;
};

/// As wide as the characters before the column are, tabs kept.
std::string blanks_before(std::string_view line, int column) {
  std::string out;
  for (int i = 1; i < column && !line.empty(); ++i) {
    out += line.front() == '\t' ? '\t' : ' ';
    line.remove_prefix(std::max<std::size_t>(utf8_length(line), 1));
  }
  return out;
}

}  // namespace

std::string problem_text(const std::vector<Problem>& problems) {
  Lines lines;
  std::string out;
  for (const Problem& problem : problems) {
    out += line_of(problem) + '\n';
    if (const auto line = lines.at(problem.where); line && !has_controls(*line, "\t"))
      out += fmt::format("{:5} | {}\n      | {}^\n", problem.where.line, *line,
                         blanks_before(*line, problem.where.column));
  }
  return out;
}

}  // namespace gpufeed::cli
