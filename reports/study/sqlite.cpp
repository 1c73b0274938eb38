// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sqlite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>
#include <system_error>

#include "sim/base/diagnostics.h"
#include "sim/base/files/run_files.h"

namespace gpufeed {
namespace {

/// How often SQLite was refused memory. It says SQLITE_NOMEM of absurd sizes in a damaged file as
/// well, and asks for none then.
std::atomic<int> refusals{0};
sqlite3_mem_methods usual;

void* counted(void* memory) {
  if (memory == nullptr) ++refusals;
  return memory;
}

/// From the first call on.
/// \return false where somebody else has used SQLite in this process before
bool counts_refusals() {
  static const bool counts = [] {
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    sqlite3_mem_methods counting = usual;
    counting.xMalloc = [](int size) { return counted(usual.xMalloc(size)); };
    counting.xRealloc = [](void* old, int size) { return counted(usual.xRealloc(old, size)); };
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &counting) == SQLITE_OK;
  }();
  return counts;
}

bool lacks_memory(int error) {
  return error == SQLITE_NOMEM && (!counts_refusals() || refusals > 0);
}

}  // namespace

std::string sql_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::vector<std::filesystem::path> store_files(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files{file};
  for (const char* ending : {"-journal", "-wal", "-shm"})
    files.emplace_back(file.string() + ending);
  return files;
}

Database::Database(const std::filesystem::path& file, Mode mode)
    : name_(file.lexically_normal().string()) {
  refuse_unusable(file, mode);
  counts_refusals();  // before SQLite is used
  // Made by then where it may be: what is attached later is never made anew.
  if (sqlite3_open_v2(place().c_str(), &handle_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) {
    const int error = handle_ ? sqlite3_errcode(handle_) : SQLITE_NOMEM;
    const bool lacking = lacks_memory(error);
    const std::string why = lacking ? "" : sqlite3_errmsg(handle_);
    sqlite3_close(handle_);  // a destructor does not run for a constructor that throws
    if (lacking) throw std::bad_alloc();
    fail(why);
  }
  // A file may come from anyone: its schema runs nothing, and a page is held against its own
  // header.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_exec(handle_, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
  constexpr int kPatience_ms = 60000;  // another process writes for a moment only
  sqlite3_busy_timeout(handle_, kPatience_ms);
}

std::string Database::place() const { return std::filesystem::absolute(name_).string(); }

Database::~Database() { sqlite3_close(handle_); }

void Database::fail(const std::string& why) const { throw InputError({{{name_, 0, 0}, why}}); }
void Database::fail() const {
  const int error = sqlite3_errcode(handle_);
  if (lacks_memory(error)) throw std::bad_alloc();
  fail(error == SQLITE_NOMEM ? "is damaged: it names sizes beyond any memory"
                             : sqlite3_errmsg(handle_));
}

/// SQLite says that it cannot open a file, but not why.
void Database::refuse_unusable(const std::filesystem::path& file, Mode mode) const {
  struct stat status {};
  const bool there = stat(file.c_str(), &status) == 0;
  if (!there && mode != Mode::create) fail("there is no such file");
  if (there && !S_ISREG(status.st_mode)) fail("not a regular file");
  // Whole pages; SQLite itself would begin anew in a file of one byte, and fill up a last page.
  constexpr off_t kSmallestPage = 512;
  if (there && status.st_size % kSmallestPage != 0) fail("file is not a database");
  if (mode == Mode::existing)
    for (const auto& one : store_files(file))
      if (const auto problem = note_read(one)) throw InputError({*problem});
  if (mode == Mode::create)
    for (const auto& one : store_files(file)) refuse_read(name_, one);
  if (there) return;
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT, 0666);
  if (descriptor < 0) fail("cannot be made: " + std::generic_category().message(errno));
  close(descriptor);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, nullptr) != SQLITE_OK)
    database.fail();
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::bind(int number, const Cell& cell) {
  int status = SQLITE_OK;
  if (const auto* integer = std::get_if<std::int64_t>(&cell))
    status = sqlite3_bind_int64(handle_, number, *integer);
  else if (const auto* real = std::get_if<double>(&cell))
    status = sqlite3_bind_double(handle_, number, *real);
  else if (const auto* text = std::get_if<std::string>(&cell))
    status = sqlite3_bind_text64(handle_, number, text->data(), text->size(), SQLITE_TRANSIENT,
                                 SQLITE_UTF8);
  else
    status = sqlite3_bind_null(handle_, number);
  if (status != SQLITE_OK) database_.fail();
}

bool Statement::step() {
  const int status = sqlite3_step(handle_);
  if (status == SQLITE_ROW) return true;
  const bool done = status == SQLITE_DONE;
  if (!done) database_.fail();
  sqlite3_reset(handle_);
  return false;
}

int Statement::columns() const { return sqlite3_column_count(handle_); }

Cell Statement::cell(int column) const {
  switch (sqlite3_column_type(handle_, column)) {
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(handle_, column);
    case SQLITE_NULL:
      return {};
    default:
      return text(column);
  }
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return size == 0 ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

std::string Statement::column_name(int column) const {
  return sqlite3_column_name(handle_, column);
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace gpufeed
