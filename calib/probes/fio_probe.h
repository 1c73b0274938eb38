// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Requests of one size, so many under way all the time.
struct FioSetting {
  std::int64_t block_size = 4096;  ///< bytes
  std::int64_t depth = 1;   ///< readers, each with one request; of writes, requests of one writer
  Bytes most_written = {};  ///< where it writes
};

/// What fio is to measure, one setting after the other.
struct FioTest {
  std::vector<FioSetting> settings;
  bool writes = false;
  Seconds each{2};  ///< of one setting, at most where it writes
  Bytes file_size;
};

/// Every size at every depth in each of `passes`, for a drive's pace drifts, in parts that take
/// about as long. The smallest and the largest requests at the greatest depth, each of which shows
/// one roof alone, come first and last, too.
std::vector<std::vector<FioSetting>> fio_grid(const std::vector<std::int64_t>& sizes,
                                              const std::vector<std::int64_t>& depths, int passes);

/// Shares out what may be written: large requests, of which less time is measured, get more.
class WriteBudget {
 public:
  WriteBudget(Bytes most, const std::vector<std::vector<FioSetting>>& parts);
  /// The settings of the next part with what each may write; not those that are left too little to
  /// keep their depth.
  std::vector<FioSetting> share(std::vector<FioSetting> part);
  /// Gives back what the last part did not write.
  void settle(Bytes written);

 private:
  Bytes left_;
  double weight_ = 0;  ///< of the settings to come
  Bytes shared_;       ///< among those of the last part
};

/// fio's job file: O_DIRECT in random order, each setting with the drive to itself, read by threads
/// that wait for each request, as a loader's workers do. Sizes are bare bytes, for fio reads "4k"
/// in one of two ways (kb_base).
std::string fio_jobs(const FioTest& test, const std::string& file);

/// The file that fio reads and writes.
std::filesystem::path fio_data(const std::filesystem::path& folder);

/// Runs it on `fio_data`, which is made where it is not there; a device is never named. What is
/// read and written lies in huge pages, where the system has them (transparent_hugepage not
/// "never").
/// \return what fio printed, as JSON
/// \throws InputError  where there is no fio, or it fails; says why
std::string run_fio(const FioTest& test, const std::filesystem::path& folder);

/// What all jobs of `said`, which fio printed as JSON, wrote.
Bytes written_by(const std::string& said);

/// "fio-3.33"; empty where there is none.
std::string fio_version(const std::filesystem::path& scratch);

}  // namespace gpufeed
