// SPDX-License-Identifier: Apache-2.0
#include "reports/study/row_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

void add(Fnv& hash, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    hash.add_byte(static_cast<unsigned char>(number >> shift));
}

void add(Fnv& hash, const Cell& cell) {
  add(hash, std::uint64_t{cell.index()});
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    add(hash, std::bit_cast<std::uint64_t>(*number));
  else if (const auto* real = std::get_if<double>(&cell))
    add(hash, std::bit_cast<std::uint64_t>(*real));
  else if (const auto* text = std::get_if<std::string>(&cell))
    hash.add(*text);
}

std::string shown(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return toml_string(*text);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::int64_t>(cell));
}

bool below_zero(const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number < 0;
  const auto* real = std::get_if<double>(&cell);
  return real && *real < 0;
}

bool can_be(const ResultColumn& column, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return true;
  if (cell.index() != column.empty.index()) return false;
  const auto* real = std::get_if<double>(&cell);
  return (!real || std::isfinite(*real)) && (column.may_be_negative || !below_zero(cell));
}

}  // namespace

RowDigest::RowDigest(const StoreHead& head, const std::vector<std::string>& columns) {
  for (const auto& part : head.parts) {
    head_.add(part.name);
    head_.add(part.text);
  }
  add(head_, static_cast<std::uint64_t>(head.points));
  for (const auto& column : columns) head_.add(column);
}

std::string RowDigest::of(const std::vector<Cell>& cells) const {
  Fnv hash = head_;
  for (const Cell& cell : cells) add(hash, cell);
  return hash.text();
}

StrangeCells::StrangeCells(const std::vector<std::string>& columns)
    : status_(static_cast<std::size_t>(std::ranges::find(columns, "status") - columns.begin())) {
  const auto& results = result_columns(studied_in(columns));
  for (const std::string& column : columns) {
    const auto known = std::ranges::find(results, column, &ResultColumn::name);
    columns_.push_back(known == results.end() ? nullptr : &*known);
  }
}

std::string StrangeCells::in(const std::vector<Cell>& cells) const {
  const auto* status = std::get_if<std::string>(&cells[status_]);
  const bool failed = status && *status == "failed";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i] || std::holds_alternative<std::monostate>(cells[i])) continue;
    if (failed || !can_be(*columns_[i], cells[i]))
      return fmt::format("{}{} as {}", failed ? "failed, and has " : "has ", shown(cells[i]),
                         columns_[i]->name);
  }
  return "";
}

}  // namespace gpufeed
