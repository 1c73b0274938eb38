// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "sim/base/random.h"
#include "sim/engine/engine.h"
#include "sim/training/activity.h"
#include "sim/training/checkpoint_cost.h"
#include "sim/training/checkpoint_saver.h"
#include "sim/training/exchange_job.h"
#include "sim/training/plan.h"
#include "sim/training/steady.h"

namespace gpufeed {

struct Span {
  int gpu;
  std::int64_t step;
  Activity activity;
  double start_s;
  double end_s;
};

/// What a simulation saw.
struct Record {
  std::int64_t steps = 0;  ///< simulated
  Seconds first_step_end;
  std::vector<Seconds> epoch_ends;  ///< of the epochs simulated in full
  Seconds first_step_own;           ///< of the first step: mean over GPUs until each has computed
  Seconds end;                      ///< of the last simulated step
  Confidence step_time;             ///< steady
  Pace pace = Pace::trained;        ///< where the step time was taken
  double passed = 0;                ///< batches per GPU that had passed there at `end`
  bool converged = false;
  std::vector<TimeSpent> spent;  ///< of each GPU, over the steady steps
  Bytes read;                    ///< of the batches whose reading ended
  std::int64_t batches_read = 0;
  std::vector<Span> timeline;           ///< the first steps
  std::vector<TimeSpent> spent_in_all;  ///< of each GPU, over all simulated steps
  SaveLog saves;
  std::optional<CheckpointCost> checkpoint;  ///< where it was measured
};

/// Epochs that find equally much in the page cache.
struct Epochs {
  std::int64_t steps = 0;  ///< of all of them; only the last may be short
  double hit_rate = 0;
  std::int64_t before = 0;  ///< steps of earlier epochs
};

/// Which checkpoints of its plan a run takes: none, all where they fall, or some to measure them.
enum class Saving { none, in_place, measured };

/// When to stop simulating.
struct StopRule {
  bool extrapolate = true;
  Ratio precision;
  std::int64_t max_steps = 0;  ///< 0: no limit; `measured`: the pace counts as known after them
  Saving saving = Saving::none;
};

/// The job as state machines over an engine. One loader per GPU with its workers, one or more pools
/// of decode cores, one copy and one compute stream per GPU, a barrier and an exchange every step:
/// - a worker builds whole batches, numbers w, w + W, w + 2W, ...: it waits for the first bytes of
///   every sample in turn that the page cache does not hold, reads those of the batch from all its
///   drives at once (whole files: drive by drive, as many as chance lays there), then holds a core
///   to decode; where decoding begins before a sample has been read, it does all at the same time;
/// - at most W x prefetch batches are under way or waiting; the GPU takes them in order;
/// - the next batch is copied in while the GPU computes on the present one; where nothing is
///   copied, the GPU takes a batch when it needs one;
/// - every epoch starts empty;
/// - a checkpoint belongs to the step that it follows.
/// Asynchronous: no barrier, an exchange for each GPU by itself, before its next batch. Whichever
/// worker is free first takes the next batch, so a faster GPU trains more of them; a step is over
/// when as many batches are trained as there are GPUs, and nothing stops between epochs. Where a
/// bound is set on how many a GPU may be ahead of the slowest, it falls once all batches are given
/// out. While a checkpoint stops the GPUs, none begins another batch.
class TrainingJob {
 public:
  /// Declares the links and routes of `plan` to `engine`. All three must outlive the job.
  TrainingJob(const Plan& plan, Engine& engine, Random& random, const StopRule& stop,
              const Epochs& epochs);

  /// Runs to the stop rule or to the end of the last step.
  Record run();

 private:
  struct Batch {
    Seconds read_start, read_end, decode_end, copy_end;
    bool decoded = false;
  };
  struct Worker {
    std::int64_t next = 0;  ///< batch it works on, or takes next
    int parts_left = 0;     ///< flows, and the core where it decodes while it reads
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
    std::vector<Batch> ring;    ///< batches by number modulo its size
    std::int64_t taken = 0;     ///< batches handed to the copy stream
    std::int64_t copied = 0;    ///< batches that are on the GPU
    std::int64_t computed = 0;  ///< batches trained
    bool copying = false;
    bool computing = false;
    Seconds compute_start, compute_end;
    // Asynchronous:
    std::int64_t given = 0;     ///< batches that its workers took
    std::int64_t finished = 0;  ///< batches trained and exchanged
    bool exchanging = false;    ///< or will, when its gradients are ready
    Seconds finish;             ///< of the last
  };

  Batch& batch(Gpu& gpu, std::int64_t number) {
    return gpu.ring[static_cast<std::size_t>(number) % gpu.ring.size()];
  }
  Gpu& gpu(std::uint64_t tag) { return gpus_[tag / worker_slots_]; }
  const GpuPlan& gpu_plan(std::uint64_t tag) const { return plan_.gpus[tag / worker_slots_]; }
  Worker& worker(std::uint64_t tag) { return gpu(tag).workers[tag % worker_slots_]; }
  ExchangeJob& exchange(std::uint64_t tag) {
    return plan_.synchronous ? exchanges_.front() : exchanges_[tag / worker_slots_];
  }
  bool all_given() const { return given_ == epoch_steps_ * std::ssize(gpus_); }
  Pool& pool(std::uint64_t tag) { return pools_[static_cast<std::size_t>(gpu_plan(tag).pool)]; }

  void start_epoch();
  bool take_number(std::uint64_t tag);
  void start_worker(std::uint64_t tag);
  void read(std::uint64_t tag);
  void read_parts(std::uint64_t tag);
  void lay_out_files(Worker& worker);
  bool read_files(std::uint64_t tag);
  void on_files_read(std::uint64_t tag);
  Bytes sum_of_samples(std::int64_t count);
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
  bool may_begin(const Gpu& gpu) const;
  void try_take(std::uint64_t first_tag);
  void try_copy(std::uint64_t first_tag);
  void copy(std::uint64_t first_tag);
  void on_copied(std::uint64_t first_tag);
  void try_compute(std::uint64_t first_tag);
  Seconds compute_time(const GpuPlan& gpu);
  Seconds slowest_of_alike(const GpuPlan& gpu, Seconds own);
  void on_alike_computed(std::uint64_t);
  void on_gradients(std::uint64_t first_tag);
  void on_own_exchange(std::uint64_t first_tag);
  void try_finish(std::uint64_t first_tag);
  void leave_slowest();
  void wake_gpus();
  void on_computed(std::uint64_t first_tag);
  void on_exchanged(std::uint64_t);
  bool step_is_over() const;
  void try_end_step();
  void end_step(std::uint64_t);
  bool save_is_due() const;
  void measure_checkpoint();
  CheckpointMeter::Mark mark() const;
  struct Waits {
    Seconds from, stopped, computed, exchanged, until;
  };
  void account_step();
  void account(std::size_t g, std::int64_t step, std::int64_t number, const Waits& waits);
  void note_first_step();
  bool drains() const;
  Supply supply() const;
  bool should_stop();

  const Plan& plan_;
  Engine& engine_;
  Random& random_;
  const StopRule stop_;
  const Epochs epochs_;
  const std::uint64_t worker_slots_;
  std::vector<RouteId> routes_;
  std::vector<Gpu> gpus_;
  std::vector<Pool> pools_;
  std::vector<bool> in_use_;      ///< routes that flows take
  std::int64_t epoch_steps_ = 0;  ///< of the present epoch; asynchronous: of all
  std::int64_t step_in_epoch_ = 0;
  Seconds step_start_;
  std::size_t gradients_ready_ = 0;
  std::size_t compute_left_ = 0;
  Seconds alike_computed_;             ///< the last of the GPUs that others stand for
  bool stripes_alike_ = false;         ///< then one flow of a batch stands for all its stripes
  std::deque<ExchangeJob> exchanges_;  ///< one of all GPUs, or one of each
  bool exchanged_ = false;
  Seconds exchange_end_;          ///< of the step that ends
  std::int64_t given_ = 0;        ///< asynchronous: batches that workers took
  std::int64_t finished_ = 0;     ///< asynchronous: batches trained and exchanged
  std::int64_t slowest_ = 0;      ///< asynchronous: batches finished by the slowest GPU
  std::size_t slowest_gpus_ = 0;  ///< that have finished as few
  bool saving_ = false;
  Seconds save_end_;  ///< of the last checkpoint
  bool stopped_ = false;
  std::int64_t batches_decoded_ = 0;
  SteadyState steady_;
  std::vector<std::vector<TimeSpent>> spent_at_;  ///< by segment; index 0: at its start
  std::vector<TimeSpent> spent_;
  std::optional<CheckpointSaver> saver_;
  std::optional<CheckpointMeter> meter_;
  double epochs_known_ = kUnknown;  ///< half width of the mean of the epochs simulated
  Record record_;
};

}  // namespace gpufeed
