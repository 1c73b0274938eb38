// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// How a set of files is read, epoch after epoch, with less memory than it is large.
struct PageCacheTest {
  std::filesystem::path folder = {};  ///< where the files are made, and found again
  std::int64_t files = 0;
  Bytes file_size = {};     ///< of each
  double cached_share = 0;  ///< of the set that fits into the memory cgroup's page cache
  bool sequential = false;  ///< else in a new random order each epoch
  int readers = 1;          ///< threads of a job that share its epoch
  int jobs = 1;             ///< processes that read all of the set, each in its own order
  int epochs = 1;
  std::uint64_t seed = 1;
  /// Files that what stands for a GPU takes from a job's readers, one after the other in the order
  /// of the epoch; 0: as they come.
  Rate taken_rate = {};
  int ahead = 16;  ///< files that the readers may have under way or waiting for it
};

/// What one job saw of one epoch.
struct PageCacheEpoch {
  int job = 0;
  int epoch = 0;       ///< from 0; the first finds nothing in memory
  double fetched = 0;  ///< bytes that came from the storage, over those of the set
  Seconds time;
  Seconds of_core;  ///< of all its readers together
  /// Of the pages of the last files, those that lie apart from the one before in memory; below 0:
  /// not told.
  double apart = -1;
};

/// Makes the files of a test that are not there yet, with bytes that do not compress.
/// \throws InputError  where they cannot be written
void make_files(const PageCacheTest& test);

/// Reads as `test` says, in a memory cgroup of its own, from a page cache without any of the files.
/// Bytes fetched are those of /proc/self/io, so the folder must lie on local storage.
/// \return every job's epochs, by job
/// \throws InputError  where no memory cgroup can be made, or a file cannot be read
/// \throws Interrupted
std::vector<PageCacheEpoch> measure_page_cache(const PageCacheTest& test);

}  // namespace gpufeed
