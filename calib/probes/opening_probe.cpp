// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/opening_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/file_reader.h"
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
constexpr Bytes kBig{16e6};

/// What a reader leaves in memory that it shares with the process that started it.
struct Sum {
  double reads = 0;
  double seconds = 0;
};

struct Sums {
  Sum blocks;
  Sum files;
  bool good = false;
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
      throw InputError({Problem{{file_of(folder, i).string(), 0, 0}, "cannot be written"}});
  }
  make_random_file(folder / "opened", kBig);
  sync();
}

/// One reader, which both reads in turns of a tenth of a second.
class Reader {
 public:
  Reader(const fs::path& folder, int number)
      : folder_(folder),
        random_(static_cast<std::uint64_t>(number) + 1),
        fd_(open((folder / "opened").c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT)) {}
  ~Reader() { close(fd_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool run(Seconds each, Sums& out) {
    constexpr Seconds kTurn{0.1};
    const Stopwatch all;
    while (all.by_clock() < each) {
      const bool good = turn(kTurn, out.blocks, [this] { return read_block(); }) &&
                        turn(kTurn, out.files, [this] { return read_file(); });
      if (!good) return false;
    }
    return true;
  }

 private:
  /// \param read  \return what it took; less than nothing where it failed
  template <class Read>
  static bool turn(Seconds length, Sum& out, Read read) {
    for (const Stopwatch watch; watch.by_clock() < length; ++out.reads) {
      const Seconds took = read();
      if (took.value < 0) return false;
      out.seconds += took.value;
    }
    return true;
  }

  Seconds read_block() {
    std::uniform_int_distribution<off_t> any(0, static_cast<off_t>(kBig.value) / kSize - 1);
    const off_t at = any(random_) * static_cast<off_t>(kSize);
    const Stopwatch watch;
    return pread(fd_, memory_.data(), kSize, at) == kSize ? watch.by_clock() : Seconds{-1};
  }
  Seconds read_file() {
    std::uniform_int_distribution<std::int64_t> any(0, kFiles - 1);
    const Seconds before = files_.by_clock();
    if (files_.read_into(file_of(folder_, any(random_)), memory_.data(), kSize) != kSize)
      return {-1};
    return files_.by_clock() - before;
  }

  const fs::path& folder_;
  std::mt19937_64 random_;
  const SharedMemory memory_{kSize};
  FileReader files_{true};
  int fd_;
};

}  // namespace

OpeningTimes measure_opening(const fs::path& folder, Seconds each) {
  make_files(folder);
  const SharedMemory shared(sizeof(Sums) * kReaders);
  Sums* const sums = reinterpret_cast<Sums*>(shared.data());
  std::vector<std::unique_ptr<Child>> readers;
  for (int i = 0; i < kReaders; ++i) {
    new (sums + i) Sums;
    readers.push_back(std::make_unique<Child>([&, i] {
      sums[i].good = Reader(folder, i).run(each, sums[i]);
      return 0;
    }));
  }
  for (const auto& reader : readers) reader->wait();
  Sum blocks;
  Sum files;
  for (int i = 0; i < kReaders; ++i) {
    if (!sums[i].good)
      throw InputError({Problem{{folder.string(), 0, 0}, "small files cannot be read directly"}});
    blocks.reads += sums[i].blocks.reads;
    blocks.seconds += sums[i].blocks.seconds;
    files.reads += sums[i].files.reads;
    files.seconds += sums[i].files.seconds;
  }
  return {kReaders,
          {static_cast<double>(kSize)},
          {blocks.seconds / blocks.reads},
          {files.seconds / files.reads}};
}

}  // namespace gpufeed
