// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "reports/study/sqlite.h"
#include "reports/study/sweep_plan.h"

namespace gpufeed {

/// One of every `count` points in a row; which one changes from row to row, so that no shard gets
/// all of the points that are slow. `number` is 1 to `count`.
struct Shard {
  std::int64_t number = 1;
  std::int64_t count = 1;

  bool has(std::int64_t point) const { return (point + point / count) % count == number - 1; }
  bool operator==(const Shard&) const = default;
};

/// "3/8". Empty for all points.
std::string text(const Shard& shard);

/// What a file of results says about itself.
struct StoreHead {
  std::vector<PlanPart> parts;
  std::int64_t points = 0;  ///< of the whole sweep
  Shard shard;
};

/// What the column `meets` has of a point that meets all constraints.
inline constexpr std::string_view kMeets = "yes";

/// How many of a file's points are what.
struct StoreCounts {
  std::int64_t finished = 0;
  std::int64_t failed = 0;
  std::int64_t faults = 0;  ///< of the failed: through a fault of gpufeed
  std::int64_t meeting = 0;
};

/// The results of a sweep in a SQLite file: a table `point` with one row a finished point, whose
/// number is the key, and a table `about`. A transaction holds several rows; what is committed
/// survives `kill -9` and, as far as the disk keeps its word, a power cut. Not WAL: it must work on
/// network file systems too. A file that is opened is data, not trusted: its tables, pages, point
/// numbers and cells are checked, and that each row fits its digest (row_digest.h).
class SweepStore {
 public:
  /// Opens a file of this plan and shard, or makes it.
  /// \throws InputError  where the file is something else, or of another plan or shard
  SweepStore(const std::filesystem::path& file, const SweepPlan& plan, const Shard& shard);
  /// Opens what is there: an input, or what this process has made, whose rows are not checked
  /// again. \throws InputError
  explicit SweepStore(const std::filesystem::path& file,
                      Database::Mode mode = Database::Mode::existing);
  /// Makes a new file with the columns of another. \throws InputError
  SweepStore(const std::filesystem::path& file, const StoreHead& head,
             const std::vector<std::string>& columns, bool has_digests = true);

  const std::string& name() const { return database_.name(); }
  const StoreHead& head() const { return head_; }
  /// Whether its rows carry digests; files of versions before have none, and whether they were
  /// changed cannot be seen.
  bool has_digests() const { return has_digests_; }
  /// Of the table `point`, without that of the digests.
  const std::vector<std::string>& columns() const { return columns_; }
  /// The numbers of the finished points, ascending.
  std::vector<std::int64_t> finished();
  StoreCounts counts();
  /// The point with the lowest number that failed through its input, and its message; empty where
  /// none did.
  std::string first_failure();
  /// The same of those that failed through a fault of gpufeed.
  std::string first_fault();

  /// Adds rows, all or none. A point that is there already stays as it is: it has the same result.
  void add(const SweepPlan& plan, const std::vector<SweepRow>& rows);
  /// Adds all rows of `other`, which has the same columns and digests as this has, all or none.
  void add_all(const SweepStore& other);
  /// Calls `take` with each row, in the order of the points.
  void each_row(const std::function<void(const std::vector<Cell>&)>& take);

 private:
  enum class Rows { checked, trusted };

  void create(const StoreHead& head, std::vector<std::string> columns);
  bool is_new();
  void read_head(Rows rows);
  std::string first_of(const std::string& condition);
  void refuse_another(const SweepPlan& plan, const Shard& shard) const;
  std::string insertion() const;

  Database database_;
  StoreHead head_;
  std::vector<std::string> columns_;
  bool has_digests_ = true;
};

/// The name of the first part in which two heads differ; empty where they are of one plan.
std::string difference(const std::vector<PlanPart>& one, const std::vector<PlanPart>& other);

}  // namespace gpufeed
