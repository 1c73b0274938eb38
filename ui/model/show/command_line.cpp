// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/command_line.h"

namespace gpufeed::ui {
namespace {

/// A quote is all that is special between quotes.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string whole_path(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto whole = std::filesystem::absolute(path, unknown);
  return quoted((unknown ? path : whole).lexically_normal().string());
}

}  // namespace

std::string command_line(const std::string& verb, const std::filesystem::path& file,
                         const Sources& sources) {
  std::string line = "gpufeed " + verb + " " + whole_path(file);
  for (const auto& folder : sources.catalogs) line += " --catalog " + whole_path(folder);
  if (sources.prices) line += " --prices " + whole_path(*sources.prices);
  return line;
}

}  // namespace gpufeed::ui
