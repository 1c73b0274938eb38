// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/topo_lines.h"

#include <cctype>
#include <sstream>

namespace gpufeed {
namespace {

/// Without what terminals (colors), Markdown (bars) and letters (quotation) add.
std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      while (i < line.size() && !std::isalpha(static_cast<unsigned char>(line[i]))) ++i;
      continue;
    }
    const auto c = static_cast<unsigned char>(line[i]);
    const bool hard_space = c == 0xC2 && i + 1 < line.size() && line[i + 1] == '\xA0';
    if (hard_space) ++i;
    out += hard_space || c == '|' || c == '>' || c == '`' || c < ' ' ? ' ' : line[i];
  }
  return out;
}

}  // namespace

std::vector<std::string> topo_lines(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(plain(line));
    // a head behind the command that printed it
    constexpr std::string_view kCommand = "topo -m ";
    if (const std::size_t at = lines.back().find(kCommand); at != std::string::npos)
      lines.back().erase(0, at + kCommand.size());
  }
  return lines;
}

}  // namespace gpufeed
