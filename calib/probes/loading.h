// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "calib/probes/codecs.h"
#include "calib/probes/shared_memory.h"
#include "calib/probes/worker_cores.h"
#include "sim/base/units.h"

namespace gpufeed {

class FileReader;

/// How worker processes make batches of files, as PyTorch's do.
struct LoadingSetup {
  std::optional<ProbedCodec> codec;  ///< none: files are handed on as stored
  std::size_t sample_size = 0;       ///< bytes of a decoded sample, or of the largest file
  int batch = 1;                     ///< samples
  int workers = 1;
  int prefetch = 2;             ///< batches of each worker under way or waiting
  bool direct = false;          ///< around the page cache
  std::function<void()> enter;  ///< what a worker does first; may be empty
};

/// What a worker spent on a batch.
struct BatchWork {
  Seconds of_core;       ///< of all
  Seconds of_core_read;  ///< of it, in read calls
  Seconds by_clock;
  Seconds by_clock_read;
  std::chrono::steady_clock::time_point told;  ///< that it is full
};

/// What became of a batch in the process that takes it.
struct TakenBatch {
  BatchWork work;
  Seconds waited;                ///< until it was there
  std::optional<Seconds> woken;  ///< from when its worker told, where this process waited for that
  Seconds copied;                ///< out of the worker's memory, by the clock
  Seconds of_core_copied;
};

/// Worker processes that make whole batches, numbers w, w + W, w + 2W, ..., in memory that they
/// share with this process, which takes them in order. The memory is there before the first worker;
/// the workers live for an epoch.
class Loading {
 public:
  /// Where the file of a place in the epoch lies.
  using FileOf = std::function<std::filesystem::path(std::int64_t place)>;

  /// \throws InputError  where there is too little memory
  explicit Loading(LoadingSetup setup);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  /// Starts the workers of an epoch of so many batches; returns when all are there.
  /// They make nothing before `go`.
  /// \throws InputError  where one does not start, or when interrupted
  void start(const FileOf& file_of, std::int64_t batches);
  void go() const;
  /// Waits for a batch, copies it, and lets its worker go on.
  /// \throws InputError  where its worker could not read or decode a file, or when interrupted
  TakenBatch take(std::int64_t number);
  /// Whether workers read samples into memory of their own, and copy them into the batch.
  bool reads_apart() const;
  /// How long workers of such samples take to copy them into a batch, all at work at once: they
  /// share the memory's bandwidth, and go in step where a drive tells them together. Of each worker
  /// so many times; reading the samples does not count.
  /// \throws InputError  where they cannot be read, or when interrupted
  std::vector<double> places(const FileOf& file_of, int times) const;
  /// What the workers of this epoch have read from the storage so far, as /proc/PID/io has it.
  Bytes read_from_storage() const;
  /// Ends the workers.
  void stop();

 private:
  struct Worker;
  /// \param decoded  memory to decode in  \param to  its place in the batch
  bool place_sample(FileReader& reader, const std::filesystem::path& file,
                    std::vector<std::uint8_t>& decoded, std::uint8_t* to) const;
  int worker_of(std::int64_t batch) const;
  std::uint8_t* place_of(std::int64_t number) const;
  /// \return below 0 where a file cannot be read
  double place(std::int64_t number, FileReader& reader, const FileOf& file_of) const;
  void copy(std::int64_t number, TakenBatch& taken);
  int make_batches(int number, const FileOf& file_of, std::int64_t batches) const;

  LoadingSetup setup_;
  std::size_t slot_size_ = 0;  ///< of a sample
  std::size_t batch_size_ = 0;
  std::vector<SharedMemory> memory_;  ///< of each worker
  /// Taken batches. A private copy would be one that every start of a worker makes lazily anew.
  SharedMemory own_;
  WorkerCores cores_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace gpufeed
