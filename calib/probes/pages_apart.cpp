// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/pages_apart.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gpufeed {
namespace {

/// Numbers of the pages of memory that are mapped there; 0: not told. Source: Linux,
/// Documentation/admin-guide/mm/pagemap.rst.
std::vector<std::uint64_t> frames_at(const void* memory, std::size_t pages, std::size_t page) {
  std::vector<std::uint64_t> frames(pages);
  const int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return frames;
  const std::size_t size = pages * sizeof frames[0];
  const auto first = reinterpret_cast<std::uintptr_t>(memory) / page;
  if (pread(fd, frames.data(), size, static_cast<off_t>(first * sizeof frames[0])) !=
      static_cast<ssize_t>(size))
    frames.assign(pages, 0);
  close(fd);
  constexpr std::uint64_t kFrame = (std::uint64_t{1} << 55U) - 1;
  for (auto& frame : frames) frame &= kFrame;
  return frames;
}

}  // namespace

std::optional<double> pages_apart(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat info {};
  fstat(fd, &info);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto size = static_cast<std::size_t>(info.st_size);
  const std::size_t pages = size / page;
  void* const memory = pages > 1 ? mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  close(fd);
  if (memory == MAP_FAILED) return {};
  const auto* const bytes = static_cast<const volatile char*>(memory);
  for (std::size_t i = 0; i < pages; ++i) static_cast<void>(bytes[i * page]);
  const auto frames = frames_at(memory, pages, page);
  munmap(memory, size);
  double apart = 0;
  for (std::size_t i = 1; i < pages; ++i) {
    if (frames[i] == 0) return {};
    apart += frames[i] == frames[i - 1] + 1 ? 0 : 1;
  }
  return apart / static_cast<double>(pages - 1);
}

std::optional<double> pages_apart_in_last(
    std::size_t files, const std::function<std::filesystem::path(std::size_t place)>& file_of) {
  constexpr std::size_t kFewest = 8;
  constexpr std::size_t kPart = 64;
  const std::size_t last = std::min(files, std::max(kFewest, files / kPart));
  double sum = 0;
  for (std::size_t i = 1; i <= last; ++i) {
    const auto apart = pages_apart(file_of(files - i));
    if (!apart) return {};
    sum += *apart;
  }
  return sum / static_cast<double>(last);
}

}  // namespace gpufeed
