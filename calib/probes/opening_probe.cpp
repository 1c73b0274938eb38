// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/opening_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/loading.h"
#include "calib/probes/memory_probe.h"
#include "calib/probes/shared_memory.h"
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

/// Reads by the clock.
struct Sum {
  double reads = 0;
  double seconds = 0;
};

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

/// Blocks of a file that stays open, one after the other, until the time is over.
bool read_blocks(const fs::path& file, int reader, Seconds each, Sum& out) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  const SharedMemory memory(kSize);
  std::mt19937_64 random(static_cast<std::uint64_t>(reader) + 1);
  std::uniform_int_distribution<off_t> any(0, static_cast<off_t>(kBig.value) / kSize - 1);
  for (const Stopwatch all; fd >= 0 && all.by_clock() < each; ++out.reads) {
    const off_t at = any(random) * static_cast<off_t>(kSize);
    const Stopwatch watch;
    if (pread(fd, memory.data(), kSize, at) != kSize) return false;
    out.seconds += watch.by_clock().value;
  }
  return fd >= 0;
}

void add_blocks(const fs::path& file, Seconds each, Sum& sum) {
  struct Of {
    Sum sum;
    bool good = false;
  };
  const SharedMemory shared(sizeof(Of) * kReaders);  // what the readers leave
  Of* const all = reinterpret_cast<Of*>(shared.data());
  std::vector<std::unique_ptr<Child>> readers;
  readers.reserve(kReaders);
  for (int i = 0; i < kReaders; ++i)
    readers.push_back(std::make_unique<Child>([&, i] {
      all[i].good = read_blocks(file, i, each, all[i].sum);
      return 0;
    }));
  for (int i = 0; i < kReaders; ++i) {
    readers[static_cast<std::size_t>(i)]->wait();
    if (!all[i].good)
      throw InputError({Problem{{file.string(), 0, 0}, "cannot be read around the page cache"}});
    sum.reads += all[i].sum.reads;
    sum.seconds += all[i].sum.seconds;
  }
}

/// Files as the workers of a loader read them.
void add_files(const fs::path& folder, Seconds each, Sum& sum) {
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
    sum.seconds += taken.work.by_clock_read.value;
  }
}

}  // namespace

OpeningTimes measure_opening(const fs::path& folder, Seconds each) {
  make_files(folder);
  constexpr int kTurns = 2;
  const Seconds turn = each / (2 * kTurns);
  Sum blocks;
  Sum files;
  for (int i = 0; i < kTurns; ++i) {
    throw_if_interrupted();
    add_blocks(folder / "opened", turn, blocks);
    add_files(folder, turn, files);
  }
  return {kReaders,
          {static_cast<double>(kSize)},
          {blocks.seconds / blocks.reads},
          {files.seconds / files.reads}};
}

}  // namespace gpufeed
