// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/random.h"
#include "sim/engine/engine.h"
#include "sim/job/declare.h"
#include "sim/job/steady.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// Where the dates of a batch's travel are kept until its step is over.
struct Batch {
  Seconds read_start, read_end, decode_end, copy_end;
  bool decoded = false;  ///< and not taken yet
};

/// The loaders of all GPUs as state machines over an engine: one per GPU with its workers, and one
/// or more pools of decode cores.
/// - A worker builds whole batches, numbers w, w + W, w + 2W, ...: it waits for the first bytes of
///   every sample in turn that the page cache does not hold, reads those of the batch from all its
///   drives at once (whole files: drive by drive, as many as chance lays there), then holds a core
///   to decode; where decoding begins before a sample has been read, it does all at the same time.
/// - At most W x prefetch batches are under way or waiting; the GPU takes them in order.
/// - Every epoch starts empty, and with shuffling the list of files.
/// - Asynchronous: whichever worker is free first takes the next batch of all GPUs.
class BatchLoaders {
 public:
  /// \param declared  links and routes of `plan`; all must outlive the loaders
  /// \param hit_rate  of the page cache, in all epochs
  /// \param on_ready  called with a GPU's number as tag when a batch of it has been decoded
  BatchLoaders(const Plan& plan, Engine& engine, Random& random, const Declared& declared,
               double hit_rate, Callback on_ready);

  /// \param batches  of the epoch, for each GPU
  void start_epoch(std::int64_t batches);
  /// No worker takes another batch.
  void stop() { stopped_ = true; }

  /// The batch that `gpu` takes next; it may be under way still.
  Batch& next(std::size_t gpu) { return batch(gpu, gpus_[gpu].taken); }
  /// Makes room for another one.
  void take_next(std::size_t gpu);
  /// Of this epoch; its dates are kept until three more have been taken.
  Batch& batch(std::size_t gpu, std::int64_t number) {
    auto& ring = gpus_[gpu].ring;
    return ring[static_cast<std::size_t>(number) % ring.size()];
  }
  std::int64_t taken(std::size_t gpu) const { return gpus_[gpu].taken; }
  /// Asynchronous: whether workers have taken all batches.
  bool all_given() const { return given_ == epoch_batches_ * std::ssize(gpus_); }

  Bytes read() const { return read_; }                         ///< of batches read to the end
  std::int64_t batches_read() const { return batches_read_; }  ///< to the end
  /// What has passed so far, of all GPUs' batches, per GPU.
  Supply supply() const;

 private:
  struct Worker {
    std::int64_t next = 0;  ///< batch it works on, or takes next
    int parts_left = 0;     ///< flows; where it decodes while it reads also cores, its own pace
    int flows_left = 0;
    bool busy = false;
    std::int64_t missed = 0;  ///< samples of the batch that the page cache does not hold
    Bytes bytes;              ///< of the batch
    Bytes missed_bytes;
    std::vector<std::int64_t> files;  ///< whole files: still to be read from each source
    std::size_t source = 0;           ///< whole files: where it reads
    double pace = 1;                  ///< of its own work on this batch
    bool decoding = false;
    Seconds decode_start, decode_time;
  };
  /// What a core does for a batch. A kernel's client that fetches works beside a loader that
  /// decodes while it reads; else the loader's thread does both.
  struct CoreWork {
    std::uint64_t tag = 0;
    bool fetches = false;
  };
  struct Pool {
    std::int64_t free = 0;  ///< batches that it could decode at once, beside the present ones
    double stretch = 1;     ///< of a batch's decoding, so that all together use all cores
    std::deque<CoreWork> waiting;
  };
  struct Gpu {
    std::vector<Worker> workers;
    std::vector<Batch> ring;  ///< batches by number modulo its size
    std::int64_t taken = 0;
    std::int64_t given = 0;  ///< asynchronous: batches that its workers took
  };

  // A tag is a worker: its GPU's number times the workers of each, and its own.
  Gpu& gpu(std::uint64_t tag) { return gpus_[tag / worker_slots_]; }
  const GpuPlan& gpu_plan(std::uint64_t tag) const { return plan_.gpus[tag / worker_slots_]; }
  Worker& worker(std::uint64_t tag) { return gpu(tag).workers[tag % worker_slots_]; }
  Batch& batch_of(std::uint64_t tag) { return batch(tag / worker_slots_, worker(tag).next); }
  Pool& pool(std::uint64_t tag) { return pools_[gpu_plan(tag).pool]; }

  void start_workers(std::uint64_t);
  bool take_number(std::uint64_t tag);
  void start_worker(std::uint64_t tag);
  Bytes sum_of_samples(std::int64_t count);
  void read_batch(std::uint64_t tag);
  void read_parts(std::uint64_t tag);
  void lay_out_files(Worker& worker);
  bool read_files(std::uint64_t tag);
  void on_files_read(std::uint64_t tag);
  void on_read(std::uint64_t tag);
  bool fetches_beside() const { return plan_.decodes_while_reading && plan_.fetch.value > 0; }
  void want_core(CoreWork work);
  void take_core(Pool& pool);
  void release_core(std::uint64_t tag);
  void decode(std::uint64_t tag);
  void fetch(std::uint64_t tag);
  void on_core_done(std::uint64_t tag);
  void on_fetched(std::uint64_t tag);
  void part_done(std::uint64_t tag);
  void on_decoded(std::uint64_t tag);

  const Plan& plan_;
  Engine& engine_;
  Random& random_;
  const Declared& declared_;
  const double hit_rate_;
  Callback on_ready_;
  const std::uint64_t worker_slots_;
  std::vector<Gpu> gpus_;
  std::vector<Pool> pools_;
  std::int64_t epoch_batches_ = 0;
  std::int64_t given_ = 0;  ///< asynchronous: batches that workers took
  bool stopped_ = false;
  Bytes read_;
  std::int64_t batches_read_ = 0;
  std::int64_t batches_decoded_ = 0;
};

}  // namespace gpufeed
