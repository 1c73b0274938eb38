// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/block_reads.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <random>

#include "calib/probes/child.h"
#include "calib/probes/own_pages.h"
#include "calib/probes/shared_memory.h"
#include "calib/probes/stopwatch.h"
#include "calib/probes/worker_processes.h"

namespace gpufeed {
namespace {

struct Reads {
  BlockReads sum;
  bool good = false;
};

/// Reads a block at a random place. \return how long that took, below 0 where it cannot be read
using ReadOne = std::function<Seconds(std::mt19937_64& random, void* to)>;

Reads read_blocks(const BlockReaders& by, int reader, Seconds each, const ReadOne& read_one) {
  Reads out;
  const auto size = static_cast<std::size_t>(by.block.value);
  const OwnPages memory(size, true);
  std::memset(memory.data(), 1, size);
  std::optional<OwnPages> copy;
  if (by.copy) std::memset(copy.emplace(size, false).data(), 1, size);
  std::mt19937_64 random(static_cast<std::uint64_t>(reader) + 1);
  for (const Stopwatch all; all.by_clock() < each; ++out.sum.reads) {
    const Seconds took = read_one(random, memory.data());
    if (took.value < 0) return out;
    out.sum.time += took;
    if (copy) std::memcpy(copy->data(), memory.data(), size);
  }
  out.good = true;
  return out;
}

/// By as many processes as there are readers. \return whether all could be read
bool add_reads(const BlockReaders& by, Seconds each, const ReadOne& read_one, BlockReads& sum) {
  const SharedMemory shared(sizeof(Reads) * static_cast<std::size_t>(by.readers));
  Reads* const all = reinterpret_cast<Reads*>(shared.data());
  const bool good = run_workers(by.readers, [&](int reader) {
    all[reader] = read_blocks(by, reader, each, read_one);
    return all[reader].good ? 0 : 1;
  });
  for (int i = 0; i < by.readers; ++i) {
    sum.reads += all[i].sum.reads;
    sum.time += all[i].sum.time;
  }
  return good;
}

/// Of an open file of so many bytes, or what it has from a block's beginning on.
Seconds read_block(int fd, double file, std::size_t block, std::mt19937_64& random, void* to) {
  const auto blocks = static_cast<off_t>(file / static_cast<double>(block));
  std::uniform_int_distribution<off_t> any(0, std::max<off_t>(1, blocks) - 1);
  const off_t at = any(random) * static_cast<off_t>(block);
  const Stopwatch watch;
  const bool good = pread(fd, to, block, at) > 0;
  return good ? watch.by_clock() : Seconds{-1};
}

}  // namespace

bool add_block_reads(int fd, Bytes file, const BlockReaders& by, Seconds each, BlockReads& sum) {
  const auto block = static_cast<std::size_t>(by.block.value);
  return add_reads(
      by, each,
      [&](std::mt19937_64& random, void* to) {
        return read_block(fd, file.value, block, random, to);
      },
      sum);
}

std::optional<BlockReads> measure_block_reads(
    const std::function<std::filesystem::path(std::int64_t)>& file_of, std::int64_t files,
    const BlockReaders& by, Seconds each) {
  throw_if_interrupted();
  const auto block = static_cast<std::size_t>(by.block.value);
  const auto read_one = [&](std::mt19937_64& random, void* to) {
    const auto file = file_of(std::uniform_int_distribution<std::int64_t>(0, files - 1)(random));
    const int fd = open(file.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (fd < 0) return Seconds{-1};
    const auto size = static_cast<double>(lseek(fd, 0, SEEK_END));
    const Seconds took = read_block(fd, size, block, random, to);
    close(fd);
    return took;
  };
  BlockReads sum;
  const bool good = add_reads(by, each, read_one, sum);
  throw_if_interrupted();
  if (!good || sum.reads == 0) return {};
  return sum;
}

}  // namespace gpufeed
