// SPDX-License-Identifier: Apache-2.0
#include "sim/load/entry_toml.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/load/read/toml_text.h"

namespace gpufeed {

const EntryLine* known_line(const EntryText& entry, std::string_view key) {
  const auto line = std::ranges::find(entry.lines, key, &EntryLine::key);
  return line == entry.lines.end() || line->value == "unknown" ? nullptr : &*line;
}

std::string toml_of_shown(std::string value) {
  const bool count = value.find_first_not_of("0123456789,") == std::string::npos;
  if (!count) return toml_string(value);
  std::erase(value, ',');
  return value;
}

std::string taken_line(const EntryText& entry, const EntryLine& line) {
  const bool own = !line.basis.empty();
  return fmt::format("{} = {{ value = {}, source = {}, basis = {} }}\n", line.key,
                     toml_of_shown(line.value), toml_string(own ? line.source : entry.source),
                     toml_string(own ? line.basis : entry.basis));
}

}  // namespace gpufeed
