// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/csv_line.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/printable.h"

namespace gpufeed {
namespace {

/// Signs that begin a formula, and those that spreadsheets fold to one (compatibility forms).
constexpr std::string_view kBegin[] = {"=",  "+",  "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢",
                                       "﹣", "﹫", "⁼", "⁺", "⁻",  "₌",  "₊",  "₋",  "−"};

bool begins_formula(std::string_view text) {
  for (const std::string_view blank : {" ", "\u00a0", "\u3000"})
    if (text.starts_with(blank)) return begins_formula(text.substr(blank.size()));
  return std::ranges::any_of(kBegin, [&](auto sign) { return text.starts_with(sign); });
}

}  // namespace

std::string csv_text(std::string_view raw) {
  std::string text = printable(raw);
  if (begins_formula(text)) text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace gpufeed
