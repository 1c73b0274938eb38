// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/base/units.h"

namespace gpufeed {

/// A large read, and a small one that another thread asks for when a quarter of its time has
/// passed: medians of some pairs.
struct PairedReads {
  Bytes large{8388608};
  Bytes small{4096};
  Seconds large_time;   ///< of the pair
  Seconds small_alone;  ///< when nothing else is read
  Seconds apart;  ///< the end of the small one after that of the large one, or before, below 0
};

/// Reads of a file around the page cache, into huge pages where the kernel grants them.
/// \throws InputError  where it cannot be read
PairedReads measure_paired_reads(const std::filesystem::path& file, Seconds each);

}  // namespace gpufeed
