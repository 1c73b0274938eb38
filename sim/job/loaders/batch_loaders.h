// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/engine/engine.h"
#include "sim/job/links/declare.h"
#include "sim/job/loaders/batch.h"
#include "sim/job/loaders/cores.h"
#include "sim/job/loaders/part_reader.h"
#include "sim/job/loaders/supply.h"
#include "sim/job/loaders/take_over.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// What is drawn for each batch, or each step of a GPU: each from numbers of its own.
enum class Chance : std::uint64_t { hits, sizes, pace, files, compute, drives };

/// Relative, of a worker's own work on a batch.
double pace_deviation(const Plan& plan);

/// The loaders of all GPUs as state machines over an engine: one per GPU with its workers,
/// processes that take their batches over (take_over.h), and pools of cores (cores.h).
/// - A worker builds whole batches, numbers w, w + W, w + 2W, ..., in parts of some samples: it
///   waits for the first bytes of every sample in turn that the page cache does not hold, reads
///   those of the part (part_reader.h), then decodes on a core, which meanwhile copies what the
///   page cache holds over the memory; where decoding begins before a sample has been read, it does
///   all at the same time. Without workers, a batch is begun when its GPU wants it.
/// - At most W x prefetch batches are under way or waiting; the GPU takes them in order.
/// - A worker's own work (latencies, decoding) varies from batch to batch, by plan.jitter, and from
///   sample to sample, by plan.sample_jitter, which a batch averages.
/// - Where epochs do not run into one another, each starts empty, with starting the workers. An
///   epoch's list of files is shuffled before the first of them is read; where they do, that is
///   when workers ask for it.
/// - Asynchronous: whichever worker is free first takes the next batch of all GPUs.
class BatchLoaders {
 public:
  /// \param seed      of what is drawn for each batch
  /// \param declared  links and routes of `plan`; all must outlive the loaders
  /// \param hits       of the page cache, in every epoch
  /// \param per_epoch  batches of a GPU in a whole epoch, through which `hits` run
  /// \param on_ready  called with a GPU's number as tag when a batch of it has been decoded
  BatchLoaders(const Plan& plan, Engine& engine, std::uint64_t seed, const Declared& declared,
               const HitCurve& hits, std::int64_t per_epoch, Callback on_ready);

  /// Empties them. \param batches  of the epoch, or of all that run into one another, for each GPU
  void start_epoch(std::int64_t batches);
  /// The present epoch ends with the batches that workers have begun: its batches, for each GPU.
  std::int64_t cut_epoch();
  /// No worker takes another batch.
  void stop();

  /// The batch that `gpu` takes next; it may be under way still.
  Batch& next(std::size_t gpu) { return batch(gpu, gpus_[gpu].taken); }
  /// Makes room for another one.
  void take_next(std::size_t gpu);
  /// `gpu` has nothing to do until it has its next batch.
  void want(std::size_t gpu);
  /// Of this epoch; its dates are kept until four more have been taken.
  Batch& batch(std::size_t gpu, std::int64_t number) { return batches_[gpu][number]; }
  std::int64_t taken(std::size_t gpu) const { return gpus_[gpu].taken; }
  /// Asynchronous: whether workers have taken all batches.
  bool all_given() const { return given_ == epoch_batches_ * std::ssize(gpus_); }

  Seconds last_ready() const { return last_ready_; }           ///< when a batch was decoded last
  Bytes read() const { return read_; }                         ///< of batches read to the end
  std::int64_t batches_read() const { return batches_read_; }  ///< to the end
  /// What has passed so far, of all GPUs' batches, per GPU.
  Supply supply() const;

 private:
  struct Worker {
    std::int64_t next = 0;  ///< batch it works on, or takes next
    int tasks_left = 0;  ///< core, copying; where it decodes while it reads also reading, own pace
    bool busy = false;
    std::int64_t part = 0;          ///< of the batch, that it works on
    std::int64_t missed = 0;        ///< samples of the part that the page cache does not hold
    std::int64_t batch_missed = 0;  ///< and of the batch
    double pulled = 0, passed = 0;  ///< share of these that come from a store, see PartOfBatch
    Bytes bytes;                    ///< of the part
    Bytes missed_bytes;
    Seconds part_start;
    double pace = 1;  ///< of its own work on this part
    bool decoding = false;
    Seconds decode_start, decode_work;  ///< when, and how much time of a core it takes
  };
  struct Gpu {
    std::vector<Worker> workers;
    std::int64_t taken = 0;
    bool wanted = false;     ///< on demand: its next batch
    std::int64_t given = 0;  ///< asynchronous: batches that its workers took
  };

  // A tag is a worker: its GPU's number times the workers of each, and its own.
  Gpu& gpu(std::uint64_t tag) { return gpus_[tag / worker_slots_]; }
  const GpuPlan& gpu_plan(std::uint64_t tag) const { return plan_.gpus[tag / worker_slots_]; }
  Worker& worker(std::uint64_t tag) { return gpu(tag).workers[tag % worker_slots_]; }
  Batch& batch_of(std::uint64_t tag) { return batch(tag / worker_slots_, worker(tag).next); }

  void begin_epoch(std::uint64_t);
  void list_epoch();
  void on_listed(std::uint64_t);
  void start_workers();
  bool take_number(std::uint64_t tag);
  const NodeHits& found_by(std::uint64_t tag) const { return hits_.of(gpu_plan(tag).finds); }
  double place_in_epoch(const Worker& worker) const;
  void draw_pulled(std::uint64_t tag, double place);
  PartOfBatch missed_of(const Worker& worker) const;
  void start_worker(std::uint64_t tag);
  void start_part(std::uint64_t tag);
  bool last_part(const Worker& worker) const;
  Draw draw(std::uint64_t tag, Chance of);
  Bytes sum_of_samples(Draw& draw, std::int64_t count) const;
  void on_read(std::uint64_t tag);
  void decode(std::uint64_t tag);
  void on_core_done(std::uint64_t tag);
  void task_done(std::uint64_t tag);
  void on_decoded(std::uint64_t tag);
  void on_taken_over(std::uint64_t gpu);

  const Plan& plan_;
  Engine& engine_;
  const std::uint64_t seed_;
  const double part_deviation_;  ///< of a worker's own work on a part of a batch
  const Declared& declared_;
  const HitCurve hits_;
  const double hit_rate_;   ///< mean
  const double near_rate_;  ///< of samples that the sources give, mean
  const std::int64_t per_epoch_;
  Callback on_ready_;
  const std::uint64_t worker_slots_;
  std::vector<BatchRing> batches_;  ///< of each GPU
  std::vector<Gpu> gpus_;
  Cores cores_;
  PartReader reader_;
  TakeOver take_over_;
  std::uint64_t epoch_ = 0;
  std::int64_t epoch_batches_ = 0;
  std::int64_t listed_ = 0;  ///< batches of a GPU whose files are in order
  bool listing_ = false;
  std::int64_t given_ = 0;  ///< asynchronous: batches that workers took
  bool stopped_ = false;
  Seconds last_ready_;
  Bytes read_;
  std::int64_t batches_read_ = 0;
  std::int64_t parts_decoded_ = 0;  ///< of batches
  std::int64_t awaited_ = 0;        ///< batches built when all before them had been taken
  Seconds shared_work_;             ///< time of cores for batches decoded in pools that are shared
};

}  // namespace gpufeed
