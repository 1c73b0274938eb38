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

std::string line(const std::vector<Cell>& cells) {
  std::vector<std::string> fields;
  fields.reserve(cells.size());
  for (const Cell& cell : cells) fields.push_back(field(cell));
  return csv_line(fields);
}

}  // namespace

std::string to_csv(SweepStore& store) {
  std::vector<std::string> columns;
  for (const auto& name : store.columns()) columns.push_back(csv_text(name));
  std::string out = csv_line(columns);
  store.each_row([&](const std::vector<Cell>& cells) { out += line(cells); });
  return out;
}

}  // namespace gpufeed
