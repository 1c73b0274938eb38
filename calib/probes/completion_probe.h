// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/base/units.h"

namespace gpufeed {

/// A large read, and another that a thread asks for when half of its time has passed: medians of
/// some pairs. Waking a thread takes next to none of their times.
struct PairedReads {
  Bytes block{8388608};
  Seconds alone;  ///< of one, when nothing else is read
  Seconds apart;  ///< the end of the second after that of the first
};

/// Reads of a file around the page cache, into huge pages where the kernel grants them.
/// \throws InputError  where it cannot be read
PairedReads measure_paired_reads(const std::filesystem::path& file, Seconds each);

}  // namespace gpufeed
