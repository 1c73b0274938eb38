// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/loading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "calib/probes/child.h"
#include "calib/probes/file_reader.h"
#include "calib/probes/stopwatch.h"
#include "calib/probes/worker_processes.h"
#include "sim/base/diagnostics.h"
#include "sim/base/pages.h"

namespace gpufeed {
namespace {

constexpr std::size_t kPage = kPageBytes;

[[noreturn]] void fail(const std::string& what) {
  throw InputError({Problem{{"replay", 0, 0}, what}});
}

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe can be made");
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  template <class T>
  bool tell(const T& what) const {
    return write(ends[1], &what, sizeof what) == sizeof what;
  }
  template <class T>
  bool hear(T& what) const {
    return ::read(ends[0], &what, sizeof what) == sizeof what;
  }
  bool hear_anything() const {
    char any = 0;
    return hear(any);
  }
  void close_end(int which) { close(std::exchange(ends[which], -1)); }
  int ends[2] = {-1, -1};
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

}  // namespace

/// The pipes that say which batches are full and which places free.
struct Loading::Worker {
  Pipe started;
  Pipe full;
  Pipe free_place;
  std::unique_ptr<Child> process;
};

Loading::Loading(LoadingSetup setup)
    : setup_(std::move(setup)),
      slot_size_(setup_.codec ? setup_.sample_size
                              : (setup_.sample_size + kPage - 1) / kPage * kPage),
      batch_size_(slot_size_ * static_cast<std::size_t>(setup_.batch)),
      own_(std::max(kPage, batch_size_)),
      cores_(setup_.workers) {
  for (int i = 0; i < setup_.workers; ++i)
    memory_.emplace_back(std::max(kPage, batch_size_ * static_cast<std::size_t>(setup_.prefetch)));
}

Loading::~Loading() { cores_.leave(); }

bool Loading::reads_apart() const {
  // what processes share lies in pages of 4 KiB, which large direct reads go around
  return setup_.direct && !setup_.codec && slot_size_ >= kInHugePagesFromBytes;
}

bool Loading::place_sample(FileReader& reader, const std::filesystem::path& file,
                           std::vector<std::uint8_t>& decoded, std::uint8_t* to) const {
  if (!setup_.codec && !reads_apart()) return reader.read_into(file, to, slot_size_) > 0;
  const auto stored = reader.read(file);
  if (stored.empty()) return false;
  if (!setup_.codec) {
    std::memcpy(to, stored.data(), std::min(slot_size_, stored.size()));
    return true;
  }
  if (!decode_sample(*setup_.codec, stored, decoded)) return false;
  std::memcpy(to, decoded.data(), std::min(slot_size_, decoded.size()));
  return true;
}

int Loading::make_batches(int number, const FileOf& file_of, std::int64_t batches) const {
  if (setup_.enter) setup_.enter();
  cores_.keep_to(number);
  const Worker& worker = *workers_[static_cast<std::size_t>(number)];
  memory_[static_cast<std::size_t>(number)].map_all();
  FileReader reader(setup_.direct);
  std::vector<std::uint8_t> decoded;
  if (!worker.started.tell('s')) return 1;
  for (std::int64_t batch = number; batch < batches; batch += setup_.workers) {
    if (!worker.free_place.hear_anything()) return 1;
    const Stopwatch watch;
    const Seconds of_core_before = reader.of_core();
    const Seconds by_clock_before = reader.by_clock();
    std::uint8_t* to = place_of(batch);
    for (std::int64_t i = 0; i < setup_.batch; ++i, to += slot_size_) {
      const auto file = file_of(batch * setup_.batch + i);
      if (!place_sample(reader, file, decoded, to)) return 1;
    }
    if (!worker.full.tell(BatchWork{watch.of_core(), reader.of_core() - of_core_before,
                                    watch.by_clock(), reader.by_clock() - by_clock_before,
                                    std::chrono::steady_clock::now()}))
      return 1;
  }
  while (true) pause();  // until it is ended: its /proc/PID/io is still to be read
}

void Loading::start(const FileOf& file_of, std::int64_t batches) {
  stop();
  for (int i = 0; i < setup_.workers; ++i) {
    // one after the other: a process that held the writing end of a later one would hide its end
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    worker.process = std::make_unique<Child>([&] {
      worker.full.close_end(0);
      return make_batches(i, file_of, batches);
    });
    worker.full.close_end(1);  // so that a worker's end is heard
  }
  for (const auto& worker : workers_)
    if (!worker->started.hear_anything()) {
      throw_if_interrupted();
      fail("a worker did not start");
    }
}

void Loading::go() const {
  cores_.keep_to(worker_of(0));
  for (const auto& worker : workers_)
    for (int i = 0; i < setup_.prefetch; ++i) worker->free_place.tell('f');
}

TakenBatch Loading::take(std::int64_t number) {
  throw_if_interrupted();
  const Worker& worker = *workers_[static_cast<std::size_t>(worker_of(number))];
  TakenBatch taken;
  const Stopwatch watch;
  if (!worker.full.hear(taken.work)) {
    throw_if_interrupted();
    fail("a worker could not read or decode a file");
  }
  taken.waited = watch.by_clock();
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - taken.work.told;
  if (since.count() < taken.waited.value) taken.woken = Seconds{since.count()};
  copy(number, taken);
  cores_.keep_to(worker_of(number + 1));  // or its worker would go on first, on this core
  worker.free_place.tell('f');
  return taken;
}

int Loading::worker_of(std::int64_t batch) const {
  return static_cast<int>(batch % setup_.workers);
}

/// Of a batch in its worker's memory.
std::uint8_t* Loading::place_of(std::int64_t number) const {
  const SharedMemory& memory = memory_[static_cast<std::size_t>(number % setup_.workers)];
  return memory.data() +
         static_cast<std::size_t>(number / setup_.workers % setup_.prefetch) * batch_size_;
}

void Loading::copy(std::int64_t number, TakenBatch& taken) {
  const Stopwatch watch;
  std::memcpy(own_.data(), place_of(number), batch_size_);
  taken.of_core_copied = watch.of_core();
  taken.copied = watch.by_clock();
}

double Loading::place(std::int64_t number, FileReader& reader, const FileOf& file_of) const {
  std::uint8_t* to = place_of(number);
  Seconds copying;
  for (int i = 0; i < setup_.batch; ++i, to += slot_size_) {
    const auto stored = reader.read(file_of(number * setup_.batch + i));
    if (stored.empty()) return -1;
    const Stopwatch watch;
    std::memcpy(to, stored.data(), std::min(slot_size_, stored.size()));
    copying += watch.by_clock();
  }
  return copying.value;
}

std::vector<double> Loading::places(const FileOf& file_of, int times) const {
  const auto count = static_cast<std::size_t>(setup_.workers) * static_cast<std::size_t>(times);
  const SharedMemory shared(count * sizeof(double));
  double* const all = reinterpret_cast<double*>(shared.data());
  const bool good = run_workers(setup_.workers, [&](int worker) {
    memory_[static_cast<std::size_t>(worker)].map_all();
    FileReader reader(setup_.direct);
    for (int i = 0; i < times; ++i)
      all[i * setup_.workers + worker] = place(i * setup_.workers + worker, reader, file_of);
    return 0;
  });
  std::vector<double> out(all, all + count);
  if (!good || std::ranges::any_of(out, [](double one) { return one < 0; }))
    fail("a file cannot be read");
  return out;
}

Bytes Loading::read_from_storage() const {
  double bytes = 0;
  for (const auto& worker : workers_) bytes += read_so_far(worker->process->pid());
  return {bytes};
}

void Loading::stop() {
  workers_.clear();
  cores_.leave();
}

}  // namespace gpufeed
