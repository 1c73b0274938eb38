// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// What fio is to measure: every block size at every depth, one after the other.
struct FioTest {
  std::vector<std::int64_t> block_sizes;  ///< bytes
  std::vector<std::int64_t> depths;
  bool writes = false;
  Seconds each{2};  ///< of one setting
  Bytes file_size;
};

std::size_t settings_of(const FioTest& test);

/// fio's job file: O_DIRECT in random order, each job with the drive to itself. Sizes are bare
/// bytes, for fio reads "4k" in one of two ways (kb_base).
std::string fio_jobs(const FioTest& test, const std::string& file);

/// Runs it on a file in `folder`; a device is never named.
/// \return what fio printed, as JSON
/// \throws InputError  where there is no fio, or it fails; says why
std::string run_fio(const FioTest& test, const std::filesystem::path& folder);

/// "fio-3.33"; empty where there is none.
std::string fio_version(const std::filesystem::path& scratch);

}  // namespace gpufeed
