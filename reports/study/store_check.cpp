// SPDX-License-Identifier: Apache-2.0
#include "reports/study/store_check.h"

#include <algorithm>

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

void check_columns(Database& database) {
  const auto columns = columns_in(database);
  const auto has = [&](const char* name) { return std::ranges::count(columns, name) > 0; };
  if (columns.front() != "point" || !has("status") || !has("meets") || !has("message"))
    refuse(database, "its points lack columns");
}

}  // namespace

std::string point_table(const std::vector<std::string>& columns) {
  std::string out = "CREATE TABLE point (point INTEGER PRIMARY KEY";
  for (std::size_t i = 1; i < columns.size(); ++i) out += ", " + sql_name(columns[i]);
  return out + ")";
}

std::string about_table() { return "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)"; }

void check_tables(Database& database) {
  check_form(database);
  check_columns(database);
  Statement check(database, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok") database.fail("is damaged: " + check.text(0));
}

void check_points(Database& database, const StoreHead& head) {
  Statement strange(database,
                    "SELECT point FROM point WHERE point < 0 OR point >= ?1 OR "
                    "(point + point / ?2) % ?2 <> ?3 - 1 OR status NOT IN ('good', 'failed') OR "
                    "status IS NULL OR meets NOT IN ('yes', 'no') ORDER BY point LIMIT 1");
  strange.bind(1, head.points);
  strange.bind(2, head.shard.count);
  strange.bind(3, head.shard.number);
  if (strange.step())
    refuse(database, fmt::format("its point {} is none of this sweep", strange.integer(0)));
}

}  // namespace gpufeed
