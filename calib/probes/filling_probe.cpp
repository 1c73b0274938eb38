// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/filling_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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

/// Files as data sets have them: of one large file the kernel would make larger pages.
constexpr int kFiles = 128;
constexpr Bytes kFileSize{262144};

void forget(const fs::path& file) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

[[noreturn]] void fail_to_read(const fs::path& file) {
  throw InputError(
      {Problem{{file.string(), 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno))}});
}

/// Of a core in read calls.
Seconds read_all(const std::vector<fs::path>& files) {
  FileReader reader(false);
  for (const fs::path& file : files)
    if (reader.read(file).empty()) fail_to_read(file);
  return reader.of_core();
}

/// As workers do, which place one sample after the other: what was written last is in no cache of
/// the core's own.
Seconds read_into_batches(const std::vector<fs::path>& files, const SharedMemory& batches) {
  constexpr auto kSample = static_cast<std::size_t>(kFileSize.value);
  FileReader reader(false);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (reader.read_into(files[i], batches.data() + i * kSample, kSample) == 0)
      fail_to_read(files[i]);
  return reader.of_core();
}

}  // namespace

Bytes filling_size() { return kFileSize * static_cast<double>(kFiles); }

CacheFilling measure_filling(const fs::path& folder, Seconds each) {
  std::vector<fs::path> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(folder / fmt::format("filled-{}", i));
    if (!fs::exists(files.back())) make_random_file(files.back(), kFileSize);
  }
  read_all(files);  // the inodes, too
  const SharedMemory batches(static_cast<std::size_t>(kFileSize.value) * files.size());
  CacheFilling sum;
  const Stopwatch watch;
  do {
    throw_if_interrupted();
    for (const fs::path& file : files) forget(file);
    sum.missed += read_all(files);
    sum.cached += read_all(files);
    sum.again += read_into_batches(files, batches);
    sum.read += filling_size();
  } while (watch.by_clock() < each);
  return sum;
}

}  // namespace gpufeed
