// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/file_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "calib/probes/stopwatch.h"
#include "sim/base/pages.h"

namespace gpufeed {
namespace {

constexpr std::size_t kPage = kPageBytes;

std::size_t whole_pages(std::size_t size) { return (size + kPage - 1) / kPage * kPage; }

struct OpenFile {
  OpenFile(const std::filesystem::path& path, int flags) : fd(open(path.c_str(), flags)) {
    if (fd >= 0) size = static_cast<std::size_t>(std::max<off_t>(0, lseek(fd, 0, SEEK_END)));
  }
  ~OpenFile() {
    if (fd >= 0) close(fd);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd;
  std::size_t size = 0;
};

}  // namespace

FileReader::FileReader(bool direct) : flags_(O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0)) {}

FileReader::~FileReader() { std::free(memory_); }

std::string_view FileReader::read(const std::filesystem::path& path) {
  const OpenFile file(path, flags_);
  if (file.fd < 0 || !grow(whole_pages(file.size))) return {};
  const std::size_t got = read_all(file.fd, memory_, file.size);
  return {reinterpret_cast<const char*>(memory_), got};
}

std::size_t FileReader::read_into(const std::filesystem::path& path, std::uint8_t* to,
                                  std::size_t room) {
  const OpenFile file(path, flags_);
  if (file.fd < 0 || whole_pages(file.size) > room) return 0;
  return read_all(file.fd, to, file.size);
}

/// O_DIRECT takes whole pages only: the last one is asked for in full.
std::size_t FileReader::read_all(int fd, std::uint8_t* to, std::size_t size) {
  const Stopwatch watch;
  std::size_t done = 0;
  for (ssize_t got = 1; done < size && got > 0; done += static_cast<std::size_t>(got))
    got = std::max<ssize_t>(
        0, pread(fd, to + done, whole_pages(size - done), static_cast<off_t>(done)));
  of_core_ += watch.of_core();
  by_clock_ += watch.by_clock();
  return done;
}

bool FileReader::grow(std::size_t size) {
  if (size <= size_) return true;
  std::free(memory_);
  const bool huge = size >= kInHugePagesFromBytes;
  const std::size_t unit = huge ? kHugePageBytes : kPageBytes;
  const std::size_t whole = (size + unit - 1) / unit * unit;
  memory_ = static_cast<std::uint8_t*>(std::aligned_alloc(unit, whole));
  if (memory_ && huge) madvise(memory_, whole, MADV_HUGEPAGE);
  size_ = memory_ ? size : 0;
  return memory_ != nullptr;
}

}  // namespace gpufeed
