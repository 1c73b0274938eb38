// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/base/units.h"

namespace gpufeed {

/// What a core spent in read calls on the same files, from the storage and from the page cache: the
/// rest is finding pages and putting them there.
struct CacheFilling {
  Bytes read;  ///< each time
  Seconds missed;
  Seconds cached;  ///< for the first time since
  Seconds again;   ///< once more, into memory as large as batches are
};

/// Of the files that it makes.
Bytes filling_size();

/// \param folder  where the files are made, and left for the next time
/// \throws InputError  where they cannot be written or read, or when interrupted
CacheFilling measure_filling(const std::filesystem::path& folder, Seconds each);

}  // namespace gpufeed
