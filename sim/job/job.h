// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "sim/base/numbers/random.h"
#include "sim/engine/engine.h"
#include "sim/job/checkpoint_cost.h"
#include "sim/job/checkpoint_saver.h"
#include "sim/job/exchange_job.h"
#include "sim/job/loaders/batch_loaders.h"
#include "sim/job/precision.h"
#include "sim/job/record.h"
#include "sim/job/recorder.h"
#include "sim/job/steady.h"
#include "sim/job/stop_rule.h"
#include "sim/job/time_account.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// The job as state machines over an engine: loaders, one copy and one compute stream per GPU, a
/// barrier and an exchange every step:
/// - the next batch is copied in while the GPU computes on the present one, or after that step
///   (in order); where nothing is copied, the GPU takes a batch when it needs one;
/// - where an engine of the GPU decodes, it has a batch of its own: it decodes one while the GPU
///   computes on the one before and the next is copied in;
/// - a checkpoint belongs to the step that it follows.
/// Asynchronous: no barrier, an exchange for each GPU by itself, before its next batch. A faster
/// GPU trains more batches; a step is over when as many are trained as there are GPUs, and nothing
/// stops between epochs. Where a bound is set on how many a GPU may be ahead of the slowest, it
/// falls once all batches are given out. While a checkpoint stops the GPUs, none begins another
/// batch.
class TrainingJob {
 public:
  /// Declares the links and routes of `plan` to `engine`. Both must outlive the job.
  TrainingJob(const Plan& plan, Engine& engine, std::uint64_t seed, const StopRule& stop,
              const Epochs& epochs);

  /// Runs to the stop rule or to the end of the last step.
  Record run();

 private:
  struct Gpu {
    std::int64_t copied = 0;    ///< batches that are on the GPU
    std::int64_t decoded = 0;   ///< and need its engine no more
    std::int64_t computed = 0;  ///< batches trained
    bool copying = false;
    bool decoding = false;
    bool computing = false;
    Seconds compute_start, compute_end;
    Seconds beside;  ///< computing after its first gradients are there
    // Asynchronous:
    std::int64_t finished = 0;  ///< batches trained and exchanged
    bool exchanging = false;    ///< or will, when its gradients are ready
    Seconds finish;             ///< of the last
  };

  ExchangeJob& exchange(std::uint64_t g) { return exchanges_[plan_.synchronous ? 0 : g]; }

  void start_epoch();
  bool may_begin(const Gpu& gpu) const;
  void try_take(std::uint64_t g);
  bool has_room(std::uint64_t g) const;
  void try_copy(std::uint64_t g);
  void copy(std::uint64_t g);
  void on_copied(std::uint64_t g);
  void arrived(std::uint64_t g);
  void try_decode(std::uint64_t g);
  void on_decoded(std::uint64_t g);
  void ready(std::uint64_t g);
  void try_compute(std::uint64_t g);
  Draw draw(std::uint64_t g) const;
  Seconds compute_time(const GpuPlan& gpu, Draw& draw) const;
  Computed work_on_batch(std::size_t g) const;
  Seconds slowest_of_alike(const GpuPlan& gpu, Seconds own, Draw& draw) const;
  void on_alike_computed(std::uint64_t);
  /// One of those that the step waits for has computed.
  void note_computed();
  void on_gradients(std::uint64_t g);
  void on_own_exchange(std::uint64_t g);
  void try_finish(std::uint64_t g);
  void leave_slowest();
  void wake_gpus();
  void on_computed(std::uint64_t g);
  void on_exchanged(std::uint64_t);
  bool step_is_over() const;
  void try_end_step();
  void end_step(std::uint64_t);
  bool save_is_due() const;
  void measure_checkpoint();
  CheckpointMeter::Mark mark() const;
  void account_step();
  void account(std::size_t g, std::int64_t step, std::int64_t number, const Waits& waits,
               const TimeSpent& last);
  void note_first_step();
  bool drains() const;
  bool should_stop() const;
  bool in_first_epoch() const;
  bool most_steps() const;
  bool may_cut() const;
  void stop();
  void note_epoch_end();
  void know_epochs();
  void cut_epoch();

  const Plan& plan_;
  Engine& engine_;
  const std::uint64_t seed_;
  const StopRule stop_;
  const Epochs epochs_;
  const Declared declared_;
  BatchLoaders loaders_;
  std::vector<Gpu> gpus_;
  std::int64_t epoch_steps_ = 0;  ///< of the present epoch; asynchronous: of all
  std::int64_t step_in_epoch_ = 0;
  Seconds step_start_;
  std::size_t gradients_ready_ = 0;
  std::size_t compute_left_ = 0;
  Seconds alike_computed_;             ///< the last of the GPUs that others stand for
  std::deque<ExchangeJob> exchanges_;  ///< one of all GPUs, or one of each
  bool exchanged_ = false;
  Seconds exchange_end_;          ///< of the step that ends
  std::int64_t finished_ = 0;     ///< asynchronous: batches trained and exchanged
  std::int64_t slowest_ = 0;      ///< asynchronous: batches finished by the slowest GPU
  std::size_t slowest_gpus_ = 0;  ///< that have finished as few
  bool saving_ = false;
  Seconds save_end_;  ///< of the last checkpoint
  bool stopped_ = false;
  const std::int64_t least_steps_;  ///< until few readers have forgotten their order
  SteadyState steady_;
  std::vector<std::vector<TimeSpent>> spent_at_;  ///< by segment; index 0: at its start
  Seconds epoch_start_;
  EpochsMean epochs_mean_;
  std::optional<Recorder> recorder_;
  TimeAccount account_;
  std::optional<CheckpointSaver> saver_;
  std::optional<CheckpointMeter> meter_;
  Record record_;
};

}  // namespace gpufeed
