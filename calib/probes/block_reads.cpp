// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/block_reads.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/keep_to_core.h"
#include "calib/probes/own_pages.h"
#include "calib/probes/shared_memory.h"
#include "calib/probes/stopwatch.h"

namespace gpufeed {
namespace {

struct Reads {
  BlockReads sum;
  bool good = false;
};

Reads read_blocks(int fd, Bytes file, Bytes block, int reader, Seconds each) {
  Reads out;
  const auto size = static_cast<std::size_t>(block.value);
  const OwnPages memory(size, true);
  std::memset(memory.data(), 1, size);
  std::mt19937_64 random(static_cast<std::uint64_t>(reader) + 1);
  const auto blocks = static_cast<off_t>(file / block);
  std::uniform_int_distribution<off_t> any(0, blocks - 1);
  for (const Stopwatch all; all.by_clock() < each; ++out.sum.reads) {
    const off_t at = any(random) * static_cast<off_t>(size);
    const Stopwatch watch;
    if (pread(fd, memory.data(), size, at) != static_cast<ssize_t>(size)) return out;
    out.sum.time += watch.by_clock();
  }
  out.good = true;
  return out;
}

/// A file that its process alone has.
class NamelessFile {
 public:
  explicit NamelessFile(const std::filesystem::path& folder)
      : fd_(open(folder.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600)) {}
  ~NamelessFile() {
    if (fd_ >= 0) close(fd_);
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  int fd() const { return fd_; }

  /// \return whether it holds `size` random bytes on the drive now
  bool fill(Bytes size) const {
    constexpr std::size_t kPart = 1 << 20;
    const SharedMemory part(kPart);
    std::mt19937_64 random(1);
    for (double written = 0; written < size.value; written += kPart) {
      for (std::size_t i = 0; i < kPart; i += sizeof(std::uint64_t))
        *reinterpret_cast<std::uint64_t*>(part.data() + i) = random();
      if (write(fd_, part.data(), kPart) != static_cast<ssize_t>(kPart)) return false;
    }
    return fsync(fd_) == 0;
  }

 private:
  int fd_;
};

}  // namespace

bool add_block_reads(int fd, Bytes file, Bytes block, int readers, Seconds each, BlockReads& sum) {
  const SharedMemory shared(sizeof(Reads) * static_cast<std::size_t>(readers));
  Reads* const all = reinterpret_cast<Reads*>(shared.data());
  std::vector<std::unique_ptr<Child>> children;
  children.reserve(static_cast<std::size_t>(readers));
  for (int i = 0; i < readers; ++i)
    children.push_back(std::make_unique<Child>([&, i] {
      keep_to_core(i, readers);
      all[i] = read_blocks(fd, file, block, i, each);
      return 0;
    }));
  bool good = true;
  for (int i = 0; i < readers; ++i) {
    children[static_cast<std::size_t>(i)]->wait();
    good = good && all[i].good;
    sum.reads += all[i].sum.reads;
    sum.time += all[i].sum.time;
  }
  return good;
}

std::vector<BlockReads> measure_block_reads(const std::filesystem::path& folder, Bytes file,
                                            const std::vector<BlockReaders>& settings,
                                            Seconds each) {
  throw_if_interrupted();
  const NamelessFile data(folder);
  if (data.fd() < 0 || !data.fill(file)) return {};
  std::vector<BlockReads> out;
  out.reserve(settings.size());
  for (const BlockReaders& setting : settings) {
    BlockReads& sum = out.emplace_back();
    const bool good = add_block_reads(data.fd(), file, setting.block, setting.readers, each, sum);
    throw_if_interrupted();
    if (!good || sum.reads == 0) return {};
  }
  return out;
}

}  // namespace gpufeed
