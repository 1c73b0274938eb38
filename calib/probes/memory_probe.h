// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Copying within the memory of one NUMA node, by threads bound to its cores.
struct CopyPoint {
  int node = 0;
  int threads = 1;
  Bandwidth traffic;  ///< bytes read and written, over what the threads had of their cores
};
/// \throws InputError  when interrupted
std::vector<CopyPoint> measure_copies(Seconds each);
/// How many points that are.
std::size_t copy_settings();

/// The first write to fresh pages, by one thread.
struct FirstTouch {
  Bandwidth small_pages;
  Bandwidth huge_pages;  ///< where the kernel grants them (madvise)
};
FirstTouch measure_first_touch();

/// Large O_DIRECT reads by one thread, one after the other.
struct LargeReads {
  Bytes request;
  Bandwidth into_pages_apart;  ///< of 4 KiB, no two of which follow one another in memory
  Bandwidth into_huge_pages;
};
/// \param request  at most 4 MiB: 1024 pages, as many pieces as one call takes
/// \throws InputError  where the file cannot be read
LargeReads measure_large_reads(const std::filesystem::path& file, Bytes request, Seconds each);

/// The rate at which one thread copies out of the page cache, over what it had of its core.
/// \throws InputError  where the file cannot be read
Bandwidth measure_cached_reads(const std::filesystem::path& file, Seconds each);

/// A file of random bytes, written to the storage. \throws InputError  where that fails, as when
/// full
void make_random_file(const std::filesystem::path& file, Bytes size);

}  // namespace gpufeed
