// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

/// Reads, and the time of their calls by the clock, of all readers together.
struct BlockReads {
  double reads = 0;
  Seconds time;

  Seconds each() const { return time / reads; }
};

/// Adds reads of `block` at random places of an open file by as many processes as there are
/// readers, each of which waits for its own.
/// \param fd    opened with O_DIRECT
/// \param file  its size
/// \return whether it could be read
bool add_block_reads(int fd, Bytes file, Bytes block, int readers, Seconds each, BlockReads& sum);

/// How long a read of 4 KiB around the page cache takes each of some readers, in a file without a
/// name that is gone afterwards; none where the file system has no such file or no O_DIRECT.
/// \throws InputError  when interrupted
std::optional<Seconds> measure_small_read(const std::filesystem::path& folder, int readers,
                                          Seconds each);

}  // namespace gpufeed
