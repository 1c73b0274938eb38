// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/study/first_contact.h"
#include "sim/model/study/validation.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

class StudyPool;

/// The files of cases that `path` stands for: itself; of a folder every `.toml` below its folder
/// `cases`, or below itself where it has none. Sorted. \throws InputError  where there is none
std::vector<std::filesystem::path> case_files(const std::filesystem::path& path);

/// The bars that belong to `path`: `bars.toml` in the folder; none for a file. \throws InputError
Bars bars_for(const std::filesystem::path& path, const Catalog& catalog);

/// What taught how far off predictions are, by the ledgers that belong to `path`: `first.csv` and
/// `taught.csv` in the folder; none for a file. \throws InputError
std::vector<FirstContact> ledger_of(const std::filesystem::path& path);

/// What constants are fitted anew without: the rows of the same machine, or of the same network.
enum class LeaveOut { system, family };
template <>
struct EnumNames<LeaveOut> {
  static constexpr std::array<std::string_view, 2> names{"system", "family"};
};

/// How to run cases.
struct ValidationRun {
  std::vector<Override> overrides;    ///< of every scenario that does not give the key itself
  bool ranges = true;                 ///< intervals of every row that can have one
  unsigned jobs = 1;                  ///< cases at a time, in threads
  Bars bars;                          ///< that scores are held against
  std::optional<LeaveOut> leave_out;  ///< refits the constants of the bars' laws
  std::vector<FirstContact> ledger;   ///< what taught how far off predictions are
  /// Told several times a second how many of how many cases are finished.
  std::function<void(std::int64_t finished, std::int64_t of)> progress;
  StudyPool* pool = nullptr;  ///< whoever else predicts some of the cases
};

/// Predicts every case of the files with the fluid engine, scores mechanisms and notes which bars
/// they miss. Cases that cannot be read or run are `failures`; the others go on. Rows stand in the
/// order of files and cases.
/// \throws InputError  where the files, or the bars and the files, do not go together
ValidationReport validate(const std::vector<std::filesystem::path>& files, const Catalog& catalog,
                          const ValidationRun& run);

}  // namespace gpufeed
