// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/page_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

#include "calib/probes/child.h"
#include "calib/probes/memory_cgroup.h"
#include "calib/probes/pages_apart.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBuffer = 1 << 20;

[[noreturn]] void fail(const std::string& what, const fs::path& file) {
  throw InputError({{{}, fmt::format("{} {}: {}", what, file.string(), std::strerror(errno))}});
}

fs::path file_of(const PageCacheTest& test, std::int64_t number) {
  return test.folder / std::to_string(number / 1000) / std::to_string(number);
}

/// A descriptor that closes itself.
class File {
 public:
  File(const fs::path& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (fd_ < 0) fail("cannot open", path);
  }
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

void make_file(const fs::path& path, std::size_t size, std::mt19937_64& random,
               std::vector<std::uint64_t>& bytes) {
  for (auto& word : bytes) word = random();
  const File file(path, O_WRONLY | O_CREAT | O_TRUNC);
  for (std::size_t done = 0; done < size;) {
    const auto wrote = write(file.fd(), reinterpret_cast<const char*>(bytes.data()),
                             std::min(size - done, bytes.size() * sizeof(bytes[0])));
    if (wrote <= 0) fail("cannot write", path);
    done += static_cast<std::size_t>(wrote);
  }
}

/// Forgets what the page cache holds of the files; what is dirty is written first.
void drop_files(const PageCacheTest& test) {
  sync();
  for (std::int64_t i = 0; i < test.files; ++i) {
    const File file(file_of(test, i), O_RDONLY);
    posix_fadvise(file.fd(), 0, 0, POSIX_FADV_DONTNEED);
  }
}

double fetched_so_far() {
  std::ifstream in("/proc/self/io");
  for (std::string key; in >> key;) {
    double value = 0;
    in >> value;
    if (key == "read_bytes:") return value;
  }
  return 0;
}

/// Of this process.
double core_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * kNano;
}

/// One process that reads the whole set each epoch.
class ReadingJob {
 public:
  ReadingJob(const PageCacheTest& test, int number)
      : test_(test), number_(number), order_(static_cast<std::size_t>(test.files)) {
    std::iota(order_.begin(), order_.end(), 0);
    for (int i = 0; i < test.readers; ++i) buffers_.emplace_back(kBuffer, '\0');
  }

  /// Writes one `PageCacheEpoch` after the other to `out`.
  void run(int out) {
    const double set = static_cast<double>(test_.files) * test_.file_size.value;
    std::mt19937_64 random(test_.seed * 1000 + static_cast<std::uint64_t>(number_));
    for (int epoch = 0; epoch < test_.epochs; ++epoch) {
      if (!test_.sequential) std::shuffle(order_.begin(), order_.end(), random);
      const double before = fetched_so_far();
      const double core_before = core_seconds();
      const auto start = Clock::now();
      read_all();
      const std::chrono::duration<double> time = Clock::now() - start;
      const PageCacheEpoch row{number_,
                               epoch,
                               (fetched_so_far() - before) / set,
                               Seconds{time.count()},
                               Seconds{core_seconds() - core_before},
                               apart_in_last()};
      if (write(out, &row, sizeof row) != sizeof row) _exit(1);
    }
  }

 private:
  double apart_in_last() const {
    return pages_apart_in_last(order_.size(),
                               [this](std::size_t place) { return file_of(test_, order_[place]); })
        .value_or(-1);
  }

  void read_all() {
    next_ = taken_ = 0;
    ready_.assign(order_.size(), false);
    std::vector<std::thread> threads;
    for (auto& buffer : buffers_) threads.emplace_back([&] { read_some(buffer); });
    if (paced()) take_all();
    for (auto& thread : threads) thread.join();
  }

  bool paced() const { return test_.taken_rate.value > 0; }

  /// Stands for a GPU, which has nothing to do while the next file is not there.
  void take_all() {
    const auto each = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / test_.taken_rate.value));
    auto done = Clock::now();
    std::unique_lock lock(mutex_);
    while (taken_ < order_.size()) {
      const bool waits = !ready_[taken_];
      arrived_.wait(lock, [&] { return ready_[taken_]; });
      done = (waits ? std::max(done, Clock::now()) : done) + each;  // a late wake-up is made up for
      ++taken_;
      room_.notify_all();
      lock.unlock();
      std::this_thread::sleep_until(done);
      lock.lock();
    }
  }

  void wait_for_room(std::size_t i) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return i < taken_ + static_cast<std::size_t>(test_.ahead); });
  }
  void note_ready(std::size_t i) {
    const std::scoped_lock lock(mutex_);
    ready_[i] = true;
    if (i == taken_) arrived_.notify_one();
  }

  void read_some(std::vector<char>& buffer) {
    for (std::size_t i = next_++; i < order_.size(); i = next_++) {
      if (paced()) wait_for_room(i);
      const int fd = open(file_of(test_, order_[i]).c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) _exit(1);
      while (read(fd, buffer.data(), buffer.size()) > 0) {
      }
      close(fd);
      if (paced()) note_ready(i);
    }
  }

  const PageCacheTest& test_;
  const int number_;
  std::vector<std::int64_t> order_;
  std::vector<std::vector<char>> buffers_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable arrived_, room_;
  std::vector<bool> ready_;  ///< read, by place in the order; only where files are taken
  std::size_t taken_ = 0;
};

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make", "a pipe");
  }
  ~Pipe() {
    close_reading();
    close_writing();
  }
  void close_reading() { close_end(0); }
  void close_writing() { close_end(1); }
  int reading() const { return ends[0]; }
  int writing() const { return ends[1]; }

 private:
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  int ends[2] = {-1, -1};
};

/// Until something has come, or nothing more will.
void wait_to_read(int fd) {
  constexpr int kMilliseconds = 50;  // a signal just before a wait without an end would not end it
  for (pollfd wanted{fd, POLLIN, 0}; poll(&wanted, 1, kMilliseconds) <= 0;) throw_if_interrupted();
  throw_if_interrupted();
}

bool get_byte(int fd) {
  char byte = 0;
  return read(fd, &byte, 1) == 1;
}

}  // namespace

void make_files(const PageCacheTest& test) {
  std::mt19937_64 random(test.seed);
  const auto size = static_cast<std::size_t>(test.file_size.value);
  std::vector<std::uint64_t> bytes(std::min(size, kBuffer) / sizeof(std::uint64_t));
  for (std::int64_t i = 0; i < test.files; ++i) {
    throw_if_interrupted();
    const fs::path path = file_of(test, i);
    if (i % 1000 == 0) fs::create_directories(path.parent_path());
    std::error_code error;
    if (fs::file_size(path, error) != size || error) make_file(path, size, random, bytes);
  }
}

std::vector<PageCacheEpoch> measure_page_cache(const PageCacheTest& test) {
  const Bytes cache = test.file_size * (test.cached_share * static_cast<double>(test.files));
  const MemoryCgroup cgroup(cache);
  drop_files(test);
  Pipe ready;
  Pipe go;
  Pipe rows;
  std::vector<std::unique_ptr<Child>> jobs;
  jobs.reserve(static_cast<std::size_t>(test.jobs));
  for (int number = 0; number < test.jobs; ++number)
    jobs.push_back(std::make_unique<Child>([&, number] {
      go.close_writing();
      cgroup.enter();
      ReadingJob job(test, number);
      if (write(ready.writing(), "r", 1) == 1 && !get_byte(go.reading())) job.run(rows.writing());
      return 0;
    }));
  ready.close_writing();
  rows.close_writing();
  for (int number = 0; number < test.jobs; ++number) {
    wait_to_read(ready.reading());
    if (!get_byte(ready.reading())) fail("cannot start", "a job");
  }
  cgroup.limit(cgroup.usage() + cache);
  go.close_writing();  // the end of the pipe is the start of the race
  std::vector<PageCacheEpoch> out;
  wait_to_read(rows.reading());
  for (PageCacheEpoch row; read(rows.reading(), &row, sizeof row) == sizeof row;) {
    out.push_back(row);
    wait_to_read(rows.reading());
  }
  bool good = true;
  for (const auto& job : jobs) good = job->wait() == 0 && good;
  if (!good) fail("a job could not read", test.folder);
  std::ranges::sort(out, {},
                    [](const PageCacheEpoch& row) { return std::pair(row.job, row.epoch); });
  return out;
}

}  // namespace gpufeed
