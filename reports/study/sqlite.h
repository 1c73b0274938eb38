// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/writers/result_cells.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gpufeed {

/// A name as SQL writes it.
std::string sql_name(std::string_view name);

/// The file itself, and those that SQLite may make beside it.
std::vector<std::filesystem::path> store_files(const std::filesystem::path& file);

/// An open SQLite file. All errors become `InputError`s at the file's name: they are those of
/// disks, rights and foreign files.
class Database {
 public:
  /// existing: an input; own: made by this process; create: made anew where there is none
  enum class Mode { existing, own, create };
  Database(const std::filesystem::path& file, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& name() const { return name_; }
  /// The whole path: SQLite has a meaning of its own for names like ":memory:" and "file:x".
  std::string place() const;
  void execute(const std::string& sql);
  [[noreturn]] void fail() const;
  [[noreturn]] void fail(const std::string& why) const;
  sqlite3* handle() const { return handle_; }

 private:
  void refuse_unusable(const std::filesystem::path& file, Mode mode) const;

  std::string name_;
  sqlite3* handle_ = nullptr;
};

/// One prepared command.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// \param number  of the parameter, from 1
  void bind(int number, const Cell& cell);
  /// Runs to the next row. \return whether there is one; after the last, the command may run anew
  bool step();
  int columns() const;
  Cell cell(int column) const;
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string column_name(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Commands that take effect together when `commit` is called, else not at all.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace gpufeed
