// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_csv.h"

#include "sim/base/printable.h"

namespace gpufeed {
namespace {

/// Text that a spreadsheet would take for a formula begins with an apostrophe.
std::string field(const std::string& raw) {
  std::string text = printable(raw);
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string field(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return field(*text);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
  return "";
}

template <class Cells>
std::string line(const Cells& cells) {
  std::string out;
  for (const auto& cell : cells) out += (out.empty() ? "" : ",") + field(cell);
  return out + "\n";
}

}  // namespace

std::string to_csv(SweepStore& store) {
  std::string out = line(store.columns());
  store.each_row([&](const std::vector<Cell>& cells) { out += line(cells); });
  return out;
}

}  // namespace gpufeed
