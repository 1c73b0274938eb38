// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/completion_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/own_pages.h"
#include "calib/probes/stopwatch.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

using Clock = std::chrono::steady_clock;

Seconds between(Clock::time_point begin, Clock::time_point end) {
  return {std::chrono::duration<double>(end - begin).count()};
}

/// One thread's reads of one size at random places.
class RandomReads {
 public:
  RandomReads(int fd, off_t file, Bytes size, unsigned seed)
      : fd_(fd),
        size_(static_cast<std::size_t>(size.value)),
        memory_(size_, true),
        random_(seed),
        any_(0, std::max<off_t>(0, file / static_cast<off_t>(size_) - 1)) {
    std::memset(memory_.data(), 1, size_);
  }

  /// \return when it had been read; sets `good` to false where it could not be
  Clock::time_point read(bool& good) {
    const off_t at = any_(random_) * static_cast<off_t>(size_);
    if (pread(fd_, memory_.data(), size_, at) <= 0) good = false;
    return Clock::now();
  }

 private:
  int fd_;
  std::size_t size_;
  OwnPages memory_;
  std::mt19937_64 random_;
  std::uniform_int_distribution<off_t> any_;
};

}  // namespace

PairedReads measure_paired_reads(const std::filesystem::path& file, Seconds each) {
  constexpr int kFewest = 9;
  PairedReads out;
  const int fd = open(file.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (fd < 0)
    throw InputError(
        {Problem{{file.string(), 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno))}});
  const off_t size = lseek(fd, 0, SEEK_END);
  RandomReads first(fd, size, out.block, 1);
  RandomReads second(fd, size, out.block, 2);
  bool good = true;
  std::vector<double> alone, apart;
  for (const Stopwatch all; static_cast<int>(apart.size()) < kFewest || all.by_clock() < each;) {
    if (!good || interrupted()) break;
    const auto begun = Clock::now();
    const Seconds usual = between(begun, second.read(good));
    alone.push_back(usual.value);
    bool first_good = true;
    std::atomic<bool> asked{false};
    Clock::time_point first_ended;
    std::thread other([&] {
      asked = true;
      first_ended = first.read(first_good);
    });
    while (!asked) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::duration<double>(usual.value / 2));
    const auto second_ended = second.read(good);
    other.join();
    good = good && first_good;
    apart.push_back(between(first_ended, second_ended).value);
  }
  close(fd);
  throw_if_interrupted();
  if (!good)
    throw InputError(
        {Problem{{file.string(), 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno))}});
  out.alone = {median(alone)};
  out.apart = {median(apart)};
  return out;
}

}  // namespace gpufeed
