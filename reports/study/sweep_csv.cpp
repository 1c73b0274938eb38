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

bool is_empty(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (text && text->empty());
}

template <class Cells>
std::string line(const Cells& cells, const std::vector<bool>& used) {
  std::string out;
  bool first = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!used[i]) continue;
    out += (first ? "" : ",") + field(cells[i]);
    first = false;
  }
  return out + "\n";
}

/// Which columns have something in some row.
std::vector<bool> used_columns(SweepStore& store) {
  std::vector<bool> used(store.columns().size(), false);
  bool any = false;
  store.each_row([&](const std::vector<Cell>& cells) {
    any = true;
    for (std::size_t i = 0; i < cells.size(); ++i) used[i] = used[i] || !is_empty(cells[i]);
  });
  if (!any) used.assign(used.size(), true);
  return used;
}

}  // namespace

std::string to_csv(SweepStore& store) {
  const auto used = used_columns(store);
  std::string out = line(store.columns(), used);
  store.each_row([&](const std::vector<Cell>& cells) { out += line(cells, used); });
  return out;
}

}  // namespace gpufeed
