// SPDX-License-Identifier: Apache-2.0
#include "reports/study/store_check.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "reports/study/row_digest.h"

namespace gpufeed {
namespace {

[[noreturn]] void refuse(const Database& database, const std::string& why) {
  database.fail("holds no results of a sweep: " + why);
}

/// The columns that the file gives its table of points.
std::vector<std::string> columns_in(Database& database) {
  Statement info(database, "SELECT name FROM pragma_table_info('point') ORDER BY cid");
  std::vector<std::string> names;
  while (info.step()) names.push_back(info.text(0));
  return names;
}

void check_form(Database& database) {
  Statement schema(database, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY 2");
  std::vector<std::string> found;
  while (schema.step()) {
    if (schema.text(0) != "table" && schema.text(1) != "sqlite_autoindex_about_1")
      refuse(database, fmt::format("it holds the {} \"{}\"", schema.text(0), schema.text(1)));
    found.push_back(schema.text(2));
  }
  const std::vector<std::string> wanted{about_table(), point_table(columns_in(database)), ""};
  if (found != wanted) refuse(database, "its tables have another form");
}

std::vector<std::string> checked_columns(Database& database, bool digests) {
  auto columns = columns_in(database);
  const auto has = [&](const char* name) { return std::ranges::count(columns, name) > 0; };
  if (columns.front() != "point" || !has("status") || !has("meets") || !has("message") ||
      (digests && columns.back() != kDigest))
    refuse(database, "its points lack columns");
  if (digests) columns.pop_back();
  return columns;
}

/// What to say of points that do not fit their digests; there are `all` in the file.
std::string changed_text(const std::vector<std::int64_t>& points, std::int64_t all) {
  constexpr std::size_t kMost = 10;
  const auto count = static_cast<std::int64_t>(points.size());
  if (count == all)
    return fmt::format(
        "was changed after it was written: none of its points fits its digest ({} of {}); remove "
        "the file, and run the sweep again",
        count, all);
  const std::vector<std::int64_t> first(
      points.begin(), points.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, points.size())));
  const bool one = count == 1;
  return fmt::format(
      "was changed after it was written: {} {}{} not fit {}; remove {} (DELETE FROM point WHERE "
      "point IN (...)), and the sweep simulates {} again",
      one ? "point" : "points",
      fmt::format("{}{}", fmt::join(first, ", "), points.size() > kMost ? ", ..." : ""),
      one ? " does" : fmt::format(" ({}) do", count), one ? "its digest" : "their digests",
      one ? "it" : "them", one ? "it" : "them");
}

void check_rows(Database& database, const StoreHead& head, const std::vector<std::string>& columns,
                bool digests) {
  const RowDigest digest(head, columns);
  const StrangeCells strange_cells(columns);
  std::vector<std::int64_t> changed;
  std::string strange;
  std::int64_t all = 0;
  Statement rows(database, "SELECT * FROM point ORDER BY point");
  std::vector<Cell> cells(columns.size());
  for (; rows.step(); ++all) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = rows.cell(static_cast<int>(i));
    if (digests && rows.cell(static_cast<int>(cells.size())) != Cell(digest.of(cells)))
      changed.push_back(rows.integer(0));
    else if (const auto why = strange_cells.in(cells); !why.empty() && strange.empty())
      strange = fmt::format("its point {} {}", rows.integer(0), why);
  }
  if (!changed.empty()) database.fail(changed_text(changed, all));
  if (!strange.empty()) refuse(database, strange);
}

}  // namespace

std::string point_table(const std::vector<std::string>& columns) {
  std::string out = "CREATE TABLE point (point INTEGER PRIMARY KEY";
  for (std::size_t i = 1; i < columns.size(); ++i) out += ", " + sql_name(columns[i]);
  return out + ")";
}

std::string about_table() { return "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)"; }

std::vector<std::string> check_tables(Database& database, bool digests) {
  check_form(database);
  auto columns = checked_columns(database, digests);
  Statement check(database, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok") database.fail("is damaged: " + check.text(0));
  return columns;
}

void check_points(Database& database, const StoreHead& head,
                  const std::vector<std::string>& columns, bool digests) {
  Statement strange(database,
                    "SELECT point FROM point WHERE point < 0 OR point >= ?1 OR "
                    "(point + point / ?2) % ?2 <> ?3 - 1 OR status NOT IN ('good', 'failed') OR "
                    "status IS NULL OR meets NOT IN ('yes', 'no') ORDER BY point LIMIT 1");
  strange.bind(1, head.points);
  strange.bind(2, head.shard.count);
  strange.bind(3, head.shard.number);
  if (strange.step())
    refuse(database, fmt::format("its point {} is none of this sweep", strange.integer(0)));
  check_rows(database, head, columns, digests);
}

}  // namespace gpufeed
