// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/memory_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <thread>

#include "calib/probes/child.h"
#include "calib/probes/own_pages.h"
#include "sim/base/diagnostics.h"
#include "sim/base/pages.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMi = 1 << 20;
constexpr std::size_t kPage = kPageBytes;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const std::string& what, const fs::path& file) {
  throw InputError({{{file.string(), 0, 0}, fmt::format("{}: {}", what, std::strerror(errno))}});
}

class ReadFile {
 public:
  ReadFile(const fs::path& path, int flags)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)) {
    if (fd_ < 0) fail("cannot be read", path);
  }
  ~ReadFile() { close(fd_); }
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

/// Every fourth page of more, in random order: whatever the kernel laid side by side is torn apart.
class PagesApart {
 public:
  explicit PagesApart(std::size_t size) : pages_(kSpread * size, false) {
    std::memset(pages_.data(), 1, kSpread * size);
    for (std::size_t at = 0; at < size; at += kPage)
      pieces_.push_back({pages_.data() + kSpread * at, kPage});
    std::ranges::shuffle(pieces_, std::mt19937(1));
  }
  const std::vector<iovec>& pieces() const { return pieces_; }

 private:
  static constexpr std::size_t kSpread = 4;
  OwnPages pages_;
  std::vector<iovec> pieces_;
};

/// Reads the file over and over, as many bytes at a time as the pieces hold.
Bandwidth read_over(const fs::path& path, int flags, const std::vector<iovec>& pieces,
                    Seconds each) {
  const ReadFile file(path, flags);
  std::size_t request = 0;
  for (const iovec& piece : pieces) request += piece.iov_len;
  const auto start = Clock::now();
  double bytes = 0;
  off_t at = 0;
  while (seconds_since(start) < each.value) {
    throw_if_interrupted();
    const ssize_t got = preadv(file.fd(), pieces.data(), static_cast<int>(pieces.size()), at);
    if (got < 0) fail("cannot be read", path);
    at = static_cast<std::size_t>(got) < request ? 0 : at + got;
    bytes += static_cast<double>(got);
  }
  return {bytes / seconds_since(start)};
}

/// "0-3,8" of a NUMA node, or all we may run on where there are no nodes.
std::vector<std::vector<int>> cores_of_nodes() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<std::vector<int>> nodes;
  for (int node = 0;; ++node) {
    std::ifstream in(fmt::format("/sys/devices/system/node/node{}/cpulist", node));
    if (!in) break;
    std::vector<int> cores;
    for (std::string item; std::getline(in, item, ',');) {
      int first = 0;
      int last = 0;
      const char* const end = item.data() + item.size();
      const auto dash = std::from_chars(item.data(), end, first).ptr;
      last = first;
      if (dash != end && *dash == '-') std::from_chars(dash + 1, end, last);
      for (int core = first; core <= last; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &allowed)) cores.push_back(core);
    }
    nodes.push_back(cores);
  }
  if (!nodes.empty()) return nodes;
  nodes.emplace_back();
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(static_cast<std::size_t>(core), &allowed)) nodes[0].push_back(core);
  return nodes;
}

/// Of this thread.
double core_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * kNano;
}

/// What a thread on this core copies in its time of the core: others may take some of it away.
double copied_per_second(int core, Seconds each) {
  constexpr std::size_t kSize = 64 * kMi;  // more than its share of most caches
  constexpr double kWarm = 0.1;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(core), &own);
  sched_setaffinity(0, sizeof own, &own);
  std::vector<char> from(kSize, 1);
  std::vector<char> to(kSize, 2);
  const auto begun = Clock::now();
  double start = core_seconds();
  double bytes = 0;
  for (bool warm = true; warm || bytes == 0 || seconds_since(begun) < kWarm + each.value;) {
    std::memcpy(to.data(), from.data(), kSize);
    asm volatile("" : : "r"(to.data()) : "memory");  // clang leaves out a copy that nobody reads
    bytes += 2.0 * static_cast<double>(kSize);
    if (!warm || seconds_since(begun) < kWarm) continue;
    warm = false;
    start = core_seconds();
    bytes = 0;
  }
  return bytes / std::max(1e-9, core_seconds() - start);
}

Bandwidth copy_by(const std::vector<int>& cores, std::size_t threads, Seconds each) {
  std::vector<double> rates(threads);
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < threads; ++i)
    all.emplace_back([&, i] { rates[i] = copied_per_second(cores[i], each); });
  for (auto& thread : all) thread.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return {sum};
}

/// 1, 2, 4, ... and all.
std::vector<std::size_t> thread_counts(std::size_t cores) {
  std::vector<std::size_t> counts;
  for (std::size_t threads = 1; threads < cores; threads *= 2) counts.push_back(threads);
  if (cores > 0) counts.push_back(cores);
  return counts;
}

Bandwidth touch(bool huge) {
  constexpr std::size_t kSize = 256 * kMi;
  const OwnPages pages(kSize, huge);
  const auto start = Clock::now();
  for (std::size_t at = 0; at < kSize; at += kPage) pages.data()[at] = 1;
  return {static_cast<double>(kSize) / seconds_since(start)};
}

}  // namespace

std::size_t copy_settings() {
  std::size_t sum = 0;
  for (const auto& cores : cores_of_nodes()) sum += thread_counts(cores.size()).size();
  return sum;
}

std::vector<CopyPoint> measure_copies(Seconds each) {
  std::vector<CopyPoint> points;
  const auto nodes = cores_of_nodes();
  for (std::size_t node = 0; node < nodes.size(); ++node)
    for (const std::size_t threads : thread_counts(nodes[node].size())) {
      throw_if_interrupted();
      points.push_back(
          {static_cast<int>(node), static_cast<int>(threads), copy_by(nodes[node], threads, each)});
    }
  return points;
}

FirstTouch measure_first_touch() { return {touch(false), touch(true)}; }

LargeReads measure_large_reads(const fs::path& file, Bytes request, Seconds each) {
  const auto size = static_cast<std::size_t>(request.value);
  const OwnPages huge(size, true);
  std::memset(huge.data(), 1, size);
  const PagesApart apart(size);
  return {request, read_over(file, O_DIRECT, apart.pieces(), each),
          read_over(file, O_DIRECT, {{huge.data(), size}}, each)};
}

Bandwidth measure_cached_reads(const fs::path& file, Seconds each) {
  // as large as batches are, so that they do not stay in the core's own cache
  constexpr std::size_t kSize = 32 * kMi;
  const OwnPages pages(kSize, false);
  std::memset(pages.data(), 1, kSize);
  constexpr Seconds kOnce{0.3};
  const std::vector<iovec> whole{{pages.data(), kSize}};
  read_over(file, 0, whole, kOnce);
  const auto begun = Clock::now();
  const double start = core_seconds();
  const Bandwidth by_clock = read_over(file, 0, whole, each);
  const double bytes = by_clock.value * seconds_since(begun);
  return {bytes / std::max(1e-9, core_seconds() - start)};
}

void make_random_file(const fs::path& path, Bytes size) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> block(kMi / sizeof(std::uint64_t));
  for (auto& word : block) word = random();
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) fail("cannot be written", path);
  const auto whole = static_cast<std::size_t>(size.value);
  for (std::size_t done = 0; done < whole; done += kMi) {
    if (interrupted()) {
      close(fd);
      throw_if_interrupted();
    }
    ++block[0];
    const std::size_t part = std::min(kMi, whole - done);
    errno = ENOSPC;  // of a write that is cut short, which leaves it as it is
    if (write(fd, block.data(), part) != static_cast<ssize_t>(part)) {
      const int why = errno;
      close(fd);
      errno = why;
      fail("cannot be written", path);
    }
  }
  fsync(fd);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

}  // namespace gpufeed
