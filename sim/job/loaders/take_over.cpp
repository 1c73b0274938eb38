// SPDX-License-Identifier: Apache-2.0
#include "sim/job/loaders/take_over.h"

#include <algorithm>

namespace gpufeed {

TakeOver::TakeOver(const Plan& plan, Engine& engine, Cores& cores, std::vector<BatchRing>& batches,
                   Callback on_taken_over)
    : plan_(plan),
      engine_(engine),
      cores_(cores),
      batches_(batches),
      on_taken_over_(on_taken_over),
      gpus_(plan.gpus.size()) {
  std::size_t processes = 0;
  for (const auto& gpu : plan.gpus) processes = std::max(processes, gpu.process + 1);
  processes_.resize(processes);
}

void TakeOver::start_epoch() {
  for (Gpu& gpu : gpus_) {
    gpu.taken_over = 0;
    gpu.wanted = true;
  }
}

void TakeOver::want(std::size_t gpu) {
  if (gpus_[gpu].being_served) return;
  gpus_[gpu].wanted = true;
  try_serve(gpu);
}

/// Puts a GPU in the line of its process where its next batch is there to be taken over.
void TakeOver::try_serve(std::size_t gpu) {
  Gpu& of = gpus_[gpu];
  if (stopped_ || of.being_served || !batches_[gpu][of.taken_over].built) return;
  if (!plan_.takes_over_beside && !of.wanted) return;
  of.being_served = true;
  of.wanted = false;
  Process& process = processes_[plan_.gpus[gpu].process];
  if (process.busy) return process.waiting.push_back(gpu);
  ask(gpu);
}

void TakeOver::ask(std::size_t gpu) {
  const GpuPlan& of = plan_.gpus[gpu];
  processes_[of.process].busy = true;
  if (plan_.take_over_wait.value == 0 && !cores_.shared(of.pool)) return take(gpu);
  engine_.after(plan_.take_over_wait, callback<&TakeOver::wait_for_cores>(*this, gpu));
}

/// By now the worker that has just handed a batch over is at its next one. Where all cores are
/// busy, the process shares one of them with whoever is there, not all of them with all.
void TakeOver::wait_for_cores(std::uint64_t gpu) {
  const std::size_t pool = plan_.gpus[gpu].pool;
  if (!cores_.busy(pool)) return take(gpu);
  const double elsewhere = std::max(0.0, 1 - 1 / plan_.cores[pool]);
  engine_.after(plan_.take_over_busy_wait + plan_.take_over * elsewhere,
                callback<&TakeOver::take>(*this, gpu));
}

void TakeOver::take(std::uint64_t gpu) {
  cores_.start(plan_.gpus[gpu].pool, CoreWork::take_over, plan_.take_over,
               callback<&TakeOver::on_taken>(*this, gpu));
}

void TakeOver::on_taken(std::uint64_t gpu) {
  Gpu& of = gpus_[gpu];
  Batch& done = batches_[gpu][of.taken_over++];
  cores_.end(plan_.gpus[gpu].pool, CoreWork::take_over);
  done.built = false;
  done.decoded = true;
  done.decode_end = engine_.now();
  of.being_served = false;
  Process& process = processes_[plan_.gpus[gpu].process];
  process.busy = false;
  if (!process.waiting.empty()) {
    const std::size_t next = process.waiting.front();
    process.waiting.pop_front();
    ask(next);
  }
  try_serve(gpu);
  on_taken_over_.call(on_taken_over_.target, gpu);
}

}  // namespace gpufeed
