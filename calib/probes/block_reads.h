// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Reads, and the time of their calls by the clock, of all readers together.
struct BlockReads {
  double reads = 0;
  Seconds time;

  Seconds each() const { return time / reads; }
};

/// Adds reads of `block` at random places of an open file by as many processes as there are
/// readers, each of which waits for its own on the core that a worker would keep to
/// (`keep_to_core`), into huge pages where the kernel grants them.
/// \param fd    opened with O_DIRECT
/// \param file  its size
/// \return whether it could be read
bool add_block_reads(int fd, Bytes file, Bytes block, int readers, Seconds each, BlockReads& sum);

/// So many readers at once, each of which waits for one block after the other.
struct BlockReaders {
  Bytes block;
  int readers = 1;
};

/// Reads around the page cache by each of the settings, one after the other, in a file without a
/// name that is gone afterwards; nothing where the file system has no such file or no O_DIRECT, or
/// too little room.
/// \param file  its size, all of which is written: whole MiB
/// \param each  how long a setting is measured
/// \throws InputError  when interrupted
std::vector<BlockReads> measure_block_reads(const std::filesystem::path& folder, Bytes file,
                                            const std::vector<BlockReaders>& settings,
                                            Seconds each);

}  // namespace gpufeed
