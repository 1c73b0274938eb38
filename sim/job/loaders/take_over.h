// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/job/loaders/batch.h"
#include "sim/job/loaders/cores.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// The processes that take batches over from their workers, as PyTorch's main process does: each
/// serves its GPUs in the order in which it could, one batch at a time.
/// - With a thread for it (plan.takes_over_beside) it takes a batch over once that is built; else
///   once its GPU wants it, too.
/// - It asks and is answered, without a core: plan.take_over_wait. Where all cores of the pool are
///   busy then, it waits for its share of one: plan.take_over_busy_wait, and what others take of
///   the core meanwhile.
/// - Then it takes the batch over, on a core: plan.take_over.
class TakeOver {
 public:
  /// \param batches  of each GPU; all must outlive it
  /// \param on_taken_over  called with a GPU's number as tag when its next batch has been
  TakeOver(const Plan& plan, Engine& engine, Cores& cores, std::vector<BatchRing>& batches,
           Callback on_taken_over);

  /// Batches are counted anew; every GPU begins with wanting one.
  void start_epoch();
  /// No process begins with another batch.
  void stop() { stopped_ = true; }
  /// `gpu` has nothing to do until it has its next batch.
  void want(std::size_t gpu);
  /// A worker has built a batch of `gpu`.
  void built(std::size_t gpu) { try_serve(gpu); }

 private:
  struct Gpu {
    std::int64_t taken_over = 0;  ///< batches of the epoch
    bool wanted = false;          ///< its next batch
    bool being_served = false;    ///< by its process, or in line
  };
  struct Process {
    bool busy = false;
    std::deque<std::size_t> waiting;  ///< GPUs
  };

  void try_serve(std::size_t gpu);
  void ask(std::size_t gpu);
  void wait_for_cores(std::uint64_t gpu);
  void take(std::uint64_t gpu);
  void on_taken(std::uint64_t gpu);

  const Plan& plan_;
  Engine& engine_;
  Cores& cores_;
  std::vector<BatchRing>& batches_;
  Callback on_taken_over_;
  std::vector<Gpu> gpus_;
  std::vector<Process> processes_;
  bool stopped_ = false;
};

}  // namespace gpufeed
