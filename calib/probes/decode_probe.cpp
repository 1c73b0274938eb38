// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/decode_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>

#include "calib/probes/child.h"
#include "calib/probes/shared_memory.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kFiles = 8;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of this process.
double core_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * kNano;
}

[[noreturn]] void fail(const std::string& what) {
  throw InputError({{{"this machine", 0, 0}, fmt::format("{}: {}", what, std::strerror(errno))}});
}

/// What a worker says of a batch that is ready.
struct Ready {
  double of_core = 0;  ///< seconds that making it took
  double by_clock = 0;
};

/// A worker, the pipes to it, and where it leaves its batch.
struct Worker {
  explicit Worker(std::size_t batch_size) : batch(batch_size) {
    if (pipe2(ready, O_CLOEXEC) != 0 || pipe2(again, O_CLOEXEC) != 0) fail("no pipe");
  }
  ~Worker() {
    for (const int end : {ready[0], ready[1], again[0], again[1]}) close(end);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  SharedMemory batch;
  int ready[2] = {-1, -1};
  int again[2] = {-1, -1};
  std::unique_ptr<Child> process;
};

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path file_of(const fs::path& folder, int number) {
  return folder / fmt::format("sample-{}", number);
}

int make_batches(const DecodeTest& test, const fs::path& folder, std::size_t sample_size,
                 const Worker& worker) {
  std::vector<std::uint8_t> decoded;
  for (int number = 0;;) {
    const auto start = Clock::now();
    const double core_start = core_seconds();
    for (int i = 0; i < test.batch; ++i, ++number) {
      if (!decode_sample(test.codec, content(file_of(folder, number % kFiles)), decoded)) return 1;
      std::memcpy(worker.batch.data() + sample_size * static_cast<std::size_t>(i), decoded.data(),
                  std::min(sample_size, decoded.size()));
    }
    const Ready told{core_seconds() - core_start, seconds_since(start)};
    char go = 0;
    if (write(worker.ready[1], &told, sizeof told) != sizeof told) return 0;
    if (read(worker.again[0], &go, 1) != 1) return 0;
  }
}

class Taker {
 public:
  Taker(const DecodeTest& test, std::size_t batch_size,
        const std::vector<std::unique_ptr<Worker>>& workers)
      : test_(test), workers_(workers), own_(batch_size) {}

  void run(DecodePoint& point) {
    const auto start = Clock::now();
    int batches = 0;
    double of_core = 0;
    double by_clock = 0;
    double taking = 0;
    const int warm = static_cast<int>(workers_.size());  // a worker's first batch faults pages in
    for (int number = 0; number < 3 * warm || seconds_since(start) < test_.each.value; ++number) {
      throw_if_interrupted();
      Worker& worker = next();
      Ready told;
      const auto before = Clock::now();
      if (read(worker.ready[0], &told, sizeof told) != sizeof told) fail("a worker ended early");
      std::memcpy(own_.data(), worker.batch.data(), own_.size());
      const double took = seconds_since(before);
      if (write(worker.again[1], "g", 1) != 1) fail("a worker ended early");
      if (number < warm) continue;
      ++batches;
      of_core += told.of_core;
      by_clock += told.by_clock;
      taking += took;
    }
    point.samples = std::int64_t{batches} * test_.batch;
    point.of_sample = {of_core / static_cast<double>(point.samples)};
    point.of_sample_wall = {by_clock / static_cast<double>(point.samples)};
    point.of_batch_taken = {taking / batches};
  }

 private:
  Worker& next() {
    std::vector<pollfd> ends;
    for (const auto& worker : workers_) ends.push_back({worker->ready[0], POLLIN, 0});
    while (poll(ends.data(), ends.size(), 1000) <= 0) throw_if_interrupted();
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i].revents != 0) return *workers_[i];
    fail("no worker is ready");
  }

  const DecodeTest& test_;
  const std::vector<std::unique_ptr<Worker>>& workers_;
  std::vector<std::uint8_t> own_;
};

}  // namespace

DecodePoint measure_decoding(const DecodeTest& test, const fs::path& folder) {
  DecodePoint point;
  point.test = test;
  point.pixels = static_cast<double>(test.width) * test.height;
  std::vector<std::uint8_t> decoded;
  for (int i = 0; i < kFiles; ++i) {
    const std::string sample = make_sample(test.codec, test.width, test.height, test.detail,
                                           static_cast<std::uint64_t>(i) + 1);
    std::ofstream out(file_of(folder, i), std::ios::binary);
    if (!(out << sample << std::flush)) fail("cannot write " + file_of(folder, i).string());
    point.stored.value += static_cast<double>(sample.size()) / kFiles;
    if (i == 0 && !decode_sample(test.codec, sample, decoded)) fail("a made sample is damaged");
  }
  const std::size_t batch_size = decoded.size() * static_cast<std::size_t>(test.batch);
  point.decoded = {static_cast<double>(batch_size)};
  std::vector<std::unique_ptr<Worker>> workers;
  workers.reserve(static_cast<std::size_t>(test.workers));
  for (int i = 0; i < test.workers; ++i) workers.push_back(std::make_unique<Worker>(batch_size));
  for (auto& worker : workers)
    worker->process = std::make_unique<Child>(
        [&] { return make_batches(test, folder, decoded.size(), *worker); });
  Taker(test, batch_size, workers).run(point);
  return point;
}

}  // namespace gpufeed
