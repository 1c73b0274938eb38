// SPDX-License-Identifier: Apache-2.0
// A file that is called the results of a sweep: of any bytes, and changed by SQL.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_summary.h"
#include "tests/fuzz/inputs.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

fs::path file(const char* ending) {
  static const TemporaryFolder folder;
  return folder / (std::string("store") + ending);
}

/// A good store of a few points.
std::string good_store() {
  const fs::path name = file("-good");
  fs::remove(name);
  {
    const StoreHead head{{{"the version of gpufeed", "1"}}, 9, {1, 2}};
    const SweepStore made(name, head, {"point", "a", "status", "meets", "x", "message"}, false);
    Database(name, Database::Mode::existing)
        .execute(
            "INSERT INTO point VALUES (0, 1, 'good', NULL, 0.5, NULL), "
            "(3, '=x', 'failed', 'no', NULL, 'why')");
  }
  std::ifstream in(name, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  fs::remove(name);
  return content;
}

/// What somebody who opens it with SQLite may do to a store. ? is a value, # a name.
constexpr const char* kStatements[] = {
    "UPDATE point SET # = ?",
    "UPDATE point SET # = ? WHERE rowid = (SELECT max(rowid) FROM point)",
    "INSERT INTO point (point, #) VALUES (?, ?)",
    "INSERT INTO point SELECT point + 1, a, status, meets, x, message FROM point",
    "DELETE FROM point WHERE # = ?",
    "ALTER TABLE point RENAME COLUMN # TO #",
    "ALTER TABLE point ADD COLUMN # REAL",
    "ALTER TABLE point DROP COLUMN #",
    "ALTER TABLE point RENAME TO #",
    "CREATE TABLE # (point INTEGER PRIMARY KEY, a, status TEXT)",
    "CREATE VIEW # AS SELECT * FROM point",
    "DROP TABLE #; CREATE VIEW point AS SELECT 1 AS point, ? AS status",
    "CREATE TRIGGER # AFTER INSERT ON point BEGIN DELETE FROM about; END",
    "CREATE INDEX # ON point (status)",
    "UPDATE about SET value = ?",
    "UPDATE about SET value = ? WHERE rowid = (SELECT max(rowid) FROM about)",
    "UPDATE about SET key = ? WHERE rowid = 1",
    "INSERT INTO about VALUES (?, ?)",
    "DELETE FROM about WHERE key = (SELECT max(key) FROM about)",
    "PRAGMA user_version = 2",
    "PRAGMA application_id = 7",
    "PRAGMA page_size = 512; VACUUM",
    "PRAGMA encoding = 'UTF-16'",
    "PRAGMA journal_mode = WAL",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ? WHERE name = #"};
constexpr const char* kValues[] = {"NULL",     "0",
                                   "-1",       "9223372036854775807",
                                   "1e308",    "-1e999",
                                   "0.1",      "'good'",
                                   "'failed'", "'=1+1'",
                                   "x'00ff'",  "char(0, 10, 65533)",
                                   "'1 2'",    "zeroblob(20000)"};
constexpr const char* kNames[] = {"point",   "a",     "status",  "meets",   "x",
                                  "message", "about", "\"a b\"", "sqlite_x"};

template <std::size_t N>
const char* one_of(const char* const (&list)[N], unsigned& seed) {
  seed = seed * 1664525 + 1013904223;
  return list[(seed >> 8) % N];
}

/// Some of the statements take effect.
std::string after_statements(std::string_view store, unsigned seed) {
  const fs::path name = file("-changed");
  std::ofstream(name, std::ios::binary) << store;
  for (unsigned count = 1 + seed % 3; count > 0; --count) {
    std::string sql;
    for (const char* c = one_of(kStatements, seed); *c != 0; ++c)
      sql += *c == '?'   ? one_of(kValues, seed)
             : *c == '#' ? one_of(kNames, seed)
                         : std::string(1, *c);
    try {
      Database(name, Database::Mode::existing).execute(sql);
    } catch (const InputError&) {  // not every sentence is possible
    }
  }
  std::ifstream in(name, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  for (const fs::path& left : store_files(name)) fs::remove(left);
  return content;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  static const std::string start = good_store();
  if ((seed % 64 == 0 || size < 100) && start.size() <= most) {
    std::copy(start.begin(), start.end(), data);
    size = start.size();
  }
  if (seed % 4 == 1)
    if (const std::string made = after_statements(as_text(data, size), seed); made.size() <= most) {
      std::ranges::copy(made, data);
      return made.size();
    }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(file(""), std::ios::binary) << as_text(data, size);
  read_or_refuse([&] {
    SweepStore store(file(""));
    summary_of(store, 5, true);
    to_csv(store);
    const MergeReport report = merge_sweeps(file("-merged"), {file("")});
    if (report.missing < 0 || report.missing > report.points) std::abort();
  });
  for (const char* ending : {"", "-merged"}) fs::remove(file(ending));
  return 0;
}
