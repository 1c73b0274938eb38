// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

/// Reads, and the time of their calls by the clock, of all readers together.
struct BlockReads {
  double reads = 0;
  Seconds time;

  Seconds each() const { return time / reads; }
};

/// So many readers at once, each of which waits for one block after the other.
struct BlockReaders {
  Bytes block;
  int readers = 1;
  /// Each copies what it has read before it reads on. A host writes more slowly to memory that a
  /// core has in its caches (virtio: 8 MiB for two in 4.9 ms, without 4.7). Copying does not count.
  bool copy = false;
};

/// Adds reads at random places of an open file by as many processes as there are readers, each on
/// the core that a worker would keep to (`WorkerCores`), into huge pages where the kernel grants
/// them.
/// \param fd    opened with O_DIRECT
/// \param file  its size
/// \return whether it could be read
bool add_block_reads(int fd, Bytes file, const BlockReaders& by, Seconds each, BlockReads& sum);

/// Reads around the page cache at random places of random files; opening them does not count.
/// Nothing where the file system has no O_DIRECT.
/// \throws InputError  when interrupted
std::optional<BlockReads> measure_block_reads(
    const std::function<std::filesystem::path(std::int64_t)>& file_of, std::int64_t files,
    const BlockReaders& by, Seconds each);

}  // namespace gpufeed
