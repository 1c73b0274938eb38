// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/run_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "calib/probes/child.h"
#include "calib/probes/memory_cgroup.h"
#include "calib/probes/shared_memory.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const std::string& what) {
  throw InputError({Problem{{"replay", 0, 0}, what}});
}

/// A whole file in memory that O_DIRECT may fill.
class FileReader {
 public:
  explicit FileReader(bool direct) : flags_(O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0)) {}
  ~FileReader() { std::free(memory_); }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// Empty where it cannot be read.
  std::string_view read(const std::filesystem::path& path) {
    const int fd = open(path.c_str(), flags_);
    if (fd < 0) return {};
    const auto size = static_cast<std::size_t>(lseek(fd, 0, SEEK_END));
    grow((size / kPage + 1) * kPage);
    std::size_t done = 0;
    for (ssize_t got = 1; done < size && got > 0; done += static_cast<std::size_t>(got))
      got = std::max<ssize_t>(0, pread(fd, memory_ + done, size_ - done, static_cast<off_t>(done)));
    close(fd);
    return {memory_, done};
  }

 private:
  void grow(std::size_t size) {
    if (size <= size_) return;
    std::free(memory_);
    memory_ = static_cast<char*>(std::aligned_alloc(kPage, size));
    size_ = memory_ ? size : 0;
  }

  int flags_;
  char* memory_ = nullptr;
  std::size_t size_ = 0;
};

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe can be made");
  }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool tell() const { return write(ends[1], "x", 1) == 1; }
  bool hear() const {
    char byte = 0;
    return ::read(ends[0], &byte, 1) == 1;
  }
  int ends[2] = {-1, -1};
};

/// A worker, its batches in shared memory, and the pipes that say which are full and free.
struct Worker {
  explicit Worker(std::size_t size) : memory(size) {}
  SharedMemory memory;
  Pipe started;
  Pipe full;
  Pipe free_slot;
  std::unique_ptr<Child> process;
};

double read_so_far(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/io", pid));
  for (std::string key; in >> key;) {
    double value = 0;
    in >> value;
    if (key == "read_bytes:") return value;
  }
  return 0;
}

class Replay {
 public:
  explicit Replay(const ReplayPlan& plan)
      : plan_(plan), order_(static_cast<std::size_t>(plan.files)) {
    std::iota(order_.begin(), order_.end(), std::int64_t{0});
    sample_size_ = plan.codec ? static_cast<std::size_t>(plan.width) *
                                    static_cast<std::size_t>(plan.height) * 3
                              : static_cast<std::size_t>(plan.file_size.value) + kPage;
    batch_size_ = sample_size_ * static_cast<std::size_t>(plan.batch);
    own_.resize(batch_size_);
    if (plan.cache_memory)
      cgroup_ = std::make_unique<MemoryCgroup>(fmt::format("gpufeed-{}", getpid()));
  }

  std::vector<ReplayEpoch> run() {
    forget_files();
    std::vector<ReplayEpoch> epochs;
    epochs.reserve(static_cast<std::size_t>(plan_.epochs));
    for (int i = 0; i < plan_.epochs; ++i) epochs.push_back(run_epoch(i));
    return epochs;
  }

 private:
  void forget_files() const {
    sync();
    for (std::int64_t i = 0; i < plan_.files; ++i) {
      const int fd = open(sample_file(plan_, i).c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) fail("cannot be read: " + sample_file(plan_, i).string());
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
      close(fd);
    }
  }

  /// Each `plan_.workers`-th batch, from its own number on.
  int make_batches(int number, const Worker& worker) const {
    if (cgroup_) cgroup_->enter();
    FileReader reader(plan_.direct);
    std::vector<std::uint8_t> decoded;
    if (!worker.started.tell()) return 1;
    std::int64_t made = 0;
    for (std::int64_t batch = number; batch < plan_.steps(); batch += plan_.workers, ++made) {
      if (!worker.free_slot.hear()) return 1;
      std::uint8_t* const slot =
          worker.memory.data() + static_cast<std::size_t>(made % plan_.prefetch) * batch_size_;
      for (std::int64_t i = 0; i < plan_.batch; ++i) {
        const auto place = static_cast<std::size_t>(batch * plan_.batch + i);
        const auto stored = reader.read(sample_file(plan_, order_[place]));
        if (stored.empty()) return 1;
        std::uint8_t* const to = slot + static_cast<std::size_t>(i) * sample_size_;
        if (!plan_.codec) {
          std::memcpy(to, stored.data(), std::min(sample_size_, stored.size()));
        } else {
          if (!decode_sample(*plan_.codec, stored, decoded)) return 1;
          std::memcpy(to, decoded.data(), std::min(sample_size_, decoded.size()));
        }
      }
      if (!worker.full.tell()) return 1;
    }
    worker.started.hear();  // until it is ended: its /proc/PID/io is still to be read
    return 0;
  }

  std::vector<std::unique_ptr<Worker>> start_workers() {
    std::vector<std::unique_ptr<Worker>> workers;
    workers.reserve(static_cast<std::size_t>(plan_.workers));
    for (int i = 0; i < plan_.workers; ++i)
      workers.push_back(
          std::make_unique<Worker>(batch_size_ * static_cast<std::size_t>(plan_.prefetch)));
    for (int i = 0; i < plan_.workers; ++i) {
      Worker& worker = *workers[static_cast<std::size_t>(i)];
      worker.process = std::make_unique<Child>([this, i, &worker] {
        close(worker.full.ends[0]);
        return make_batches(i, worker);
      });
      close(worker.full.ends[1]);  // so that a worker's end is heard
      worker.full.ends[1] = -1;
    }
    for (const auto& worker : workers)
      if (!worker->started.hear()) fail("a worker did not start");
    if (cgroup_ && !limited_) cgroup_->limit(cgroup_->usage() + *plan_.cache_memory);
    limited_ = true;
    for (const auto& worker : workers)
      for (int i = 0; i < plan_.prefetch; ++i) worker->free_slot.tell();
    return workers;
  }

  ReplayEpoch run_epoch(int number) {
    if (plan_.shuffled) {
      std::mt19937_64 random(plan_.seed * 1000 + static_cast<std::uint64_t>(number));
      std::ranges::shuffle(order_, random);
    }
    ReplayEpoch epoch;
    const auto start = Clock::now();
    const auto workers = start_workers();
    const auto compute = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(plan_.compute_time.value));
    for (std::int64_t step = 0; step < plan_.steps(); ++step) {
      throw_if_interrupted();
      Worker& worker = *workers[static_cast<std::size_t>(step % plan_.workers)];
      const auto asked = Clock::now();
      if (!worker.full.hear()) {
        throw_if_interrupted();
        fail("a worker could not read or decode a file");
      }
      epoch.waited.value += seconds_since(asked);
      const auto heard = Clock::now();
      const auto slot = static_cast<std::size_t>(step / plan_.workers % plan_.prefetch);
      std::memcpy(own_.data(), worker.memory.data() + slot * batch_size_, batch_size_);
      worker.free_slot.tell();
      epoch.taken.value += seconds_since(heard);
      std::this_thread::sleep_for(compute);
      epoch.computed.value += plan_.compute_time.value;
    }
    epoch.time = {seconds_since(start)};
    epoch.samples = plan_.steps() * plan_.batch;
    for (const auto& worker : workers) epoch.read.value += read_so_far(worker->process->pid());
    return epoch;
  }

  const ReplayPlan& plan_;
  std::vector<std::int64_t> order_;
  std::size_t sample_size_ = 0;  ///< of a slot
  std::size_t batch_size_ = 0;
  std::vector<std::uint8_t> own_;
  std::unique_ptr<MemoryCgroup> cgroup_;
  bool limited_ = false;
};

}  // namespace

std::vector<ReplayEpoch> run_replay(const ReplayPlan& plan) { return Replay(plan).run(); }

}  // namespace gpufeed
