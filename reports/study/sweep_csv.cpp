// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_csv.h"

#include "reports/writers/csv_line.h"

namespace gpufeed {
namespace {

std::string field(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
  return "";
}

bool is_empty(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (text && text->empty());
}

std::string line(const std::vector<std::string>& fields, const std::vector<bool>& used) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (used[i]) kept.push_back(fields[i]);
  return csv_line(kept);
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
  std::vector<std::string> fields;
  for (const auto& name : store.columns()) fields.push_back(csv_text(name));
  std::string out = line(fields, used);
  store.each_row([&](const std::vector<Cell>& cells) {
    fields.clear();
    for (const Cell& cell : cells) fields.push_back(field(cell));
    out += line(fields, used);
  });
  return out;
}

}  // namespace gpufeed
