// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_store.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "reports/study/row_digest.h"
#include "reports/study/store_check.h"
#include "sim/load/study/sweep.h"

namespace gpufeed {
namespace {

constexpr int kApplication = 0x67706673;  // "gpfs": marks the file as ours
/// As `evaluate` words it; no place in a file begins so.
constexpr const char* kIsFault = "(status = 'failed' AND message GLOB 'internal error: *')";

std::vector<std::string> columns_of(const SweepPlan& plan) {
  std::vector<std::string> names{"point"};
  for (const Axis& axis : plan.sweep.axes) names.push_back(axis.name);
  names.insert(names.end(), {"status", "meets"});
  for (const ResultColumn& column : result_columns(plan.studied())) names.push_back(column.name);
  names.insert(names.end(), {"chance", "message"});
  return names;
}

Cell cell_of(const Literal& value) {
  if (value.is_text) return value.text;
  std::int64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [rest, error] = std::from_chars(value.text.data(), end, number);
  return error == std::errc{} && rest == end ? Cell(number) : Cell(value.text);
}

std::vector<Cell> cells_of(const SweepPlan& plan, const SweepRow& row) {
  std::vector<Cell> cells{row.point};
  for (std::size_t axis = 0; axis < plan.sweep.axes.size(); ++axis)
    cells.push_back(cell_of(plan.points.value(row.point, axis)));
  cells.emplace_back(row.good ? "good" : "failed");
  cells.push_back(plan.sweep.constraints.empty() ? Cell()
                                                 : Cell(std::string(row.meets ? kMeets : "no")));
  if (row.good)
    cells.insert(cells.end(), row.result.begin(), row.result.end());
  else
    cells.resize(cells.size() + result_columns(plan.studied()).size());
  cells.push_back(row.chance ? Cell(*row.chance) : Cell());
  cells.push_back(row.message.empty() ? Cell() : Cell(row.message));
  return cells;
}

/// A whole number from 1 to the most points of a sweep, and nothing else.
std::optional<std::int64_t> count_in(std::string_view text) {
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc{} && rest == text.data() + text.size();
  if (!whole || count < 1 || static_cast<double>(count) > kMostPoints) return {};
  return count;
}

/// "3/8"; empty for all points.
std::optional<Shard> shard_from(std::string_view text) {
  if (text.empty()) return Shard{};
  const std::size_t slash = std::min(text.find('/'), text.size() - 1);
  const auto number = count_in(text.substr(0, slash));
  const auto count = count_in(text.substr(slash + 1));
  if (!number || !count || *number > *count) return {};
  return Shard{*number, *count};
}

}  // namespace

std::string text(const Shard& shard) {
  return shard.count == 1 ? "" : fmt::format("{}/{}", shard.number, shard.count);
}

std::string difference(const std::vector<PlanPart>& one, const std::vector<PlanPart>& other) {
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i)
    if (i >= std::min(one.size(), other.size()) || one[i] != other[i])
      return (i < one.size() ? one : other)[i].name;
  return "";
}

SweepStore::SweepStore(const std::filesystem::path& file, const SweepPlan& plan, const Shard& shard)
    : database_(file, Database::Mode::create) {
  if (is_new()) {
    create({plan.parts, plan.points.count(), shard}, columns_of(plan));
    return;
  }
  read_head(Rows::checked);
  refuse_another(plan, shard);
}

SweepStore::SweepStore(const std::filesystem::path& file, Database::Mode mode)
    : database_(file, mode) {
  if (is_new()) database_.fail("holds no results of a sweep: it is empty");
  read_head(mode == Database::Mode::own ? Rows::trusted : Rows::checked);
}

SweepStore::SweepStore(const std::filesystem::path& file, const StoreHead& head,
                       const std::vector<std::string>& columns, bool has_digests)
    : database_(file, Database::Mode::create), has_digests_(has_digests) {
  create(head, columns);
}

bool SweepStore::is_new() {
  Statement tables(database_, "SELECT count(*) FROM sqlite_master");
  tables.step();
  return tables.integer(0) == 0;
}

void SweepStore::create(const StoreHead& head, std::vector<std::string> columns) {
  head_ = head;
  columns_ = columns;
  if (has_digests_) columns.emplace_back(kDigest);
  Transaction transaction(database_);
  database_.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                kApplication, has_digests_ ? kFormWithDigests : kFormWithout));
  database_.execute(point_table(columns));
  database_.execute(about_table());
  Statement insert(database_, "INSERT INTO about VALUES (?, ?)");
  const auto note = [&](const std::string& key, const std::string& value) {
    insert.bind(1, key);
    insert.bind(2, value);
    insert.step();
  };
  for (const auto& part : head.parts) note(part.name, part.text);
  note("points", std::to_string(head.points));
  note("shard", text(head.shard));
  transaction.commit();
}

void SweepStore::read_head(Rows rows) {
  Statement application(database_, "PRAGMA application_id");
  application.step();
  if (application.integer(0) != kApplication)
    database_.fail("is a database, but holds no results of a sweep");
  Statement form(database_, "PRAGMA user_version");
  form.step();
  has_digests_ = form.integer(0) == kFormWithDigests;
  if (!has_digests_ && form.integer(0) != kFormWithout)
    database_.fail(fmt::format("has form {}; this gpufeed reads {} and {}", form.integer(0),
                               kFormWithout, kFormWithDigests));
  columns_ = check_tables(database_, has_digests_);
  Statement about(database_, "SELECT key, value FROM about ORDER BY rowid");
  std::optional<std::int64_t> points;
  std::optional<Shard> shard;
  while (about.step()) {
    const std::string key = about.text(0);
    const std::string value = about.text(1);
    if (key == "points")
      points = count_in(value);
    else if (key == "shard")
      shard = shard_from(value);
    else
      head_.parts.push_back({key, value});
  }
  if (!points || !shard)
    database_.fail("holds no results of a sweep: it does not say of how many points");
  head_.points = *points;
  head_.shard = *shard;
  if (rows == Rows::checked) check_points(database_, head_, columns_, has_digests_);
}

void SweepStore::refuse_another(const SweepPlan& plan, const Shard& shard) const {
  if (const std::string part = difference(plan.parts, head_.parts); !part.empty())
    database_.fail(fmt::format(
        "holds results of something else: {} differs; name another file with --out, or remove it",
        part));
  if (head_.points != plan.points.count())
    database_.fail(fmt::format("holds results of a sweep of {} points; this one has {}",
                               head_.points, plan.points.count()));
  if (head_.shard != shard)
    database_.fail(fmt::format("holds {}; asked for is {}; name another file with --out",
                               head_.shard.count == 1 ? "all points" : "shard " + text(head_.shard),
                               shard.count == 1 ? "all points" : "shard " + text(shard)));
}

std::vector<std::int64_t> SweepStore::finished() {
  Statement rows(database_, "SELECT point FROM point ORDER BY point");
  std::vector<std::int64_t> numbers;
  while (rows.step()) numbers.push_back(rows.integer(0));
  return numbers;
}

StoreCounts SweepStore::counts() {
  Statement sums(database_, fmt::format("SELECT count(*), total(status = 'failed'), total({}), "
                                        "total(meets = 'yes') FROM point",
                                        kIsFault));
  sums.step();
  return {sums.integer(0), sums.integer(1), sums.integer(2), sums.integer(3)};
}

std::string SweepStore::first_of(const std::string& condition) {
  Statement row(
      database_,
      fmt::format("SELECT point, message FROM point WHERE {} ORDER BY point LIMIT 1", condition));
  return row.step() ? fmt::format("point {}: {}", row.integer(0), row.text(1)) : "";
}

std::string SweepStore::first_failure() {
  return first_of(fmt::format("status = 'failed' AND NOT {}", kIsFault));
}

std::string SweepStore::first_fault() { return first_of(kIsFault); }

std::string SweepStore::insertion() const {
  std::string marks = "?";
  for (std::size_t i = columns().size() + (has_digests_ ? 1 : 0); i > 1; --i) marks += ", ?";
  return fmt::format("INSERT OR IGNORE INTO point VALUES ({})", marks);
}

void SweepStore::add(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  if (rows.empty()) return;
  Statement insert(database_, insertion());
  const RowDigest digest(head_, columns());
  Transaction transaction(database_);
  for (const auto& row : rows) {
    auto cells = cells_of(plan, row);
    if (has_digests_) cells.emplace_back(digest.of(cells));
    int number = 0;
    for (const Cell& cell : cells) insert.bind(++number, cell);
    insert.step();
  }
  transaction.commit();
}

void SweepStore::add_all(const SweepStore& other) {
  Statement attach(database_, "ATTACH ? AS other");
  attach.bind(1, other.database_.place());
  attach.step();
  database_.execute(
      "INSERT OR IGNORE INTO main.point SELECT * FROM other.point ORDER BY point;"
      "DETACH other");
}

void SweepStore::each_row(const std::function<void(const std::vector<Cell>&)>& take) {
  Statement rows(database_, "SELECT * FROM point ORDER BY point");
  std::vector<Cell> cells(columns_.size());
  while (rows.step()) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = rows.cell(static_cast<int>(i));
    take(cells);
  }
}

}  // namespace gpufeed
