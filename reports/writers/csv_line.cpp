// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/csv_line.h"

#include <fmt/ranges.h>

#include "sim/base/printable.h"

namespace gpufeed {

std::string csv_text(std::string_view raw) {
  std::string text = printable(raw);
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace gpufeed
