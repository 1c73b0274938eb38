// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/opening_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "calib/probes/block_reads.h"
#include "calib/probes/child.h"
#include "calib/probes/loading.h"
#include "calib/probes/memory_probe.h"
#include "calib/probes/stopwatch.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

constexpr int kReaders = 2;
constexpr std::int64_t kFiles = 256;
constexpr std::size_t kSize = 4096;
constexpr int kBatch = 64;
constexpr Bytes kBig{16e6};

fs::path file_of(const fs::path& folder, std::int64_t number) {
  return folder / fmt::format("opened-{}", number);
}

void make_files(const fs::path& folder) {
  if (fs::exists(folder / "opened")) return;
  const std::string bytes(kSize, 'b');
  for (std::int64_t i = 0; i < kFiles; ++i) {
    throw_if_interrupted();
    std::ofstream out(file_of(folder, i), std::ios::binary);
    if (!(out << bytes << std::flush))
      throw InputError({Problem{{file_of(folder, i).string(), 0, 0},
                                fmt::format("cannot be written: {}", std::strerror(errno))}});
  }
  make_random_file(folder / "opened", kBig);
  sync();
}

/// Of a file that stays open.
void add_blocks(const fs::path& file, Seconds each, BlockReads& sum) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  const bool good =
      fd >= 0 && add_block_reads(fd, kBig, {{static_cast<double>(kSize)}, kReaders}, each, sum);
  if (fd >= 0) close(fd);
  if (!good)
    throw InputError({Problem{{file.string(), 0, 0}, "cannot be read around the page cache"}});
}

/// Files as the workers of a loader read them.
void add_files(const fs::path& folder, Seconds each, BlockReads& sum) {
  LoadingSetup setup;
  setup.sample_size = kSize;
  setup.batch = kBatch;
  setup.workers = kReaders;
  setup.direct = true;
  Loading loading(setup);
  constexpr std::int64_t kNoEnd = std::int64_t{1} << 40;
  constexpr std::int64_t kScattered = 7919;
  loading.start([&](std::int64_t place) { return file_of(folder, place * kScattered % kFiles); },
                kNoEnd);
  loading.go();
  const std::int64_t warm = std::int64_t{setup.workers} * setup.prefetch;
  const Stopwatch watch;
  for (std::int64_t number = 0; number < 2 * warm || watch.by_clock() < each; ++number) {
    const TakenBatch taken = loading.take(number);
    if (number < warm) continue;
    sum.reads += kBatch;
    sum.time += taken.work.by_clock_read;
  }
}

}  // namespace

OpeningTimes measure_opening(const fs::path& folder, Seconds each) {
  make_files(folder);
  constexpr int kTurns = 2;
  const Seconds turn = each / (2 * kTurns);
  BlockReads blocks;
  BlockReads files;
  for (int i = 0; i < kTurns; ++i) {
    throw_if_interrupted();
    add_blocks(folder / "opened", turn, blocks);
    add_files(folder, turn, files);
  }
  return {kReaders, {static_cast<double>(kSize)}, blocks.each(), files.each()};
}

}  // namespace gpufeed
