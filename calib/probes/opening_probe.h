// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/base/units.h"

namespace gpufeed {

/// How long small reads around the page cache take each of some readers, by the clock: blocks of a
/// file that is open, and files that a loader's workers open and close for each. Inodes are in
/// memory.
struct OpeningTimes {
  int readers = 0;
  Bytes size;
  Seconds of_block;
  Seconds
      of_file;  ///< its read call alone; open and close take time of a core, which decoders count
};

/// Takes turns between both, since a drive's speed may change.
/// \param folder  where the files are made, and left for the next time
/// \throws InputError  where they cannot be written or read, or when interrupted
OpeningTimes measure_opening(const std::filesystem::path& folder, Seconds each);

}  // namespace gpufeed
