// SPDX-License-Identifier: Apache-2.0
#include "sim/job/job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/assert.h"
#include "sim/job/binding.h"
#include "sim/job/declare.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Whole rounds of the workers, so that a segment holds whole bursts. With few workers several
/// rounds: what a single step takes tells little.
std::int64_t segment_steps(const Plan& plan) {
  constexpr std::int64_t kFewestSteps = 8;
  const std::int64_t cycle = plan.loader.batches_at_once;
  return cycle * ((kFewestSteps + cycle - 1) / cycle);
}

/// That a run takes whatever it may stop at: the first is warm-up, a second one is needed to count.
constexpr std::int64_t kFirstSegments = 2;

}  // namespace

TrainingJob::TrainingJob(const Plan& plan, Engine& engine, Random& random, const StopRule& stop,
                         const Epochs& epochs)
    : plan_(plan),
      engine_(engine),
      random_(random),
      stop_(stop),
      epochs_(epochs),
      declared_(declare(plan, engine)),
      loaders_(plan, engine, random, declared_, epochs.hit_rate,
               callback<&TrainingJob::try_take>(*this, 0)),
      steady_(segment_steps(plan), stop.precision, undisturbed_step(plan)),
      account_(plan) {
  if (plan.synchronous)
    exchanges_.emplace_back(plan, engine, declared_.routes, declared_.binds);
  else
    for (const auto& gpu : plan.gpus) exchanges_.emplace_back(gpu, engine, declared_.routes);
  gpus_.resize(plan.gpus.size());
  if (stop.saving != Saving::none) saver_.emplace(plan, engine, declared_.routes);
  if (stop.saving == Saving::measured) meter_.emplace(plan, segment_steps(plan), stop.precision);
}

Record TrainingJob::run() {
  start_epoch();
  engine_.run();
  GPUFEED_ASSERT(stopped_ || record_.steps == epochs_.steps, "every step comes to its end");
  record_.converged = steady_.steady();
  record_.pace = record_.converged ? steady_.pace() : Pace::trained;
  record_.passed = record_.converged ? steady_.passed() : static_cast<double>(record_.steps);
  record_.spent = record_.spent_in_all = account_.spent();
  record_.timeline = account_.timeline();
  record_.read = loaders_.read();
  record_.batches_read = loaders_.batches_read();
  if (saver_) record_.saves = saver_->log();
  if (meter_) record_.checkpoint = meter_->cost();
  record_.step_time = {record_.first_step_end.value, kUnknown};
  if (record_.steps > 1) {  // leave the first fill, and the warm-up where there is one, out
    record_.step_time = steady_.step_time();
    if (record_.step_time.half_width == kUnknown) record_.step_time.half_width = epochs_known_;
    const std::size_t from = std::min(steady_.warm_up(), spent_at_.size() - 1);
    if (spent_at_.size() > from + 1) record_.spent = spent_at_.back();
    for (std::size_t g = 0; g < gpus_.size(); ++g)
      for (std::size_t a = 0; a < kActivities; ++a) record_.spent[g][a] -= spent_at_[from][g][a];
  }
  return std::move(record_);
}

void TrainingJob::start_epoch() {
  const std::int64_t left = epochs_.steps - record_.steps;
  epoch_steps_ = plan_.synchronous ? std::min(epochs_.per_epoch, left) : left;
  step_in_epoch_ = 0;
  step_start_ = engine_.now();
  compute_left_ = slowest_gpus_ = gpus_.size();
  for (Gpu& gpu : gpus_) gpu.copied = gpu.computed = 0;
  loaders_.start_epoch(epoch_steps_);
}

/// Whether a GPU may begin to compute on its next batch, once it is there.
bool TrainingJob::may_begin(const Gpu& gpu) const {
  if (stopped_ || gpu.computing) return false;
  if (plan_.synchronous) return gpu.computed <= step_in_epoch_;
  if (gpu.exchanging || saving_) return false;
  return !plan_.staleness || loaders_.all_given() || gpu.finished <= slowest_ + *plan_.staleness;
}

void TrainingJob::try_take(std::uint64_t g) {
  if (plan_.gpus[g].copy) return try_copy(g);
  Gpu& gpu = gpus_[g];
  Batch& next = loaders_.next(g);
  if (!may_begin(gpu) || loaders_.taken(g) > gpu.computed || !next.decoded) return;
  next.copy_end = engine_.now();
  ++gpu.copied;
  loaders_.take_next(g);
  try_compute(g);
}

/// Takes the next batch off the loader when it is ready and the GPU has room for it: one batch
/// beside the one it computes on.
void TrainingJob::try_copy(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (stopped_ || gpu.copying || loaders_.taken(g) >= gpu.computed + 2) return;
  if (!loaders_.next(g).decoded) return;
  gpu.copying = true;
  loaders_.take_next(g);
  engine_.after(plan_.route(*plan_.gpus[g].copy).latency, callback<&TrainingJob::copy>(*this, g));
}

void TrainingJob::copy(std::uint64_t g) {
  engine_.start_flow(declared_.routes[*plan_.gpus[g].copy],
                     plan_.input_size * static_cast<double>(plan_.batch),
                     callback<&TrainingJob::on_copied>(*this, g));
}

void TrainingJob::on_copied(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  gpu.copying = false;
  loaders_.batch(g, gpu.copied++).copy_end = engine_.now();
  try_compute(g);
  try_copy(g);
}

void TrainingJob::try_compute(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (!may_begin(gpu) || gpu.copied <= gpu.computed) return;
  gpu.computing = true;
  gpu.compute_start = engine_.now();
  const Seconds compute = compute_time(plan_.gpus[g]);
  const Seconds slowest = slowest_of_alike(plan_.gpus[g], compute);
  if (!exchange(g).empty()) {
    gpu.exchanging = true;
    engine_.after(slowest * (1 - plan_.overlap.value),
                  callback<&TrainingJob::on_gradients>(*this, g));
  }
  engine_.after(compute, callback<&TrainingJob::on_computed>(*this, g));
  if (slowest <= compute) return;
  ++compute_left_;
  engine_.after(slowest, callback<&TrainingJob::on_alike_computed>(*this, g));
}

Seconds TrainingJob::compute_time(const GpuPlan& gpu) {
  return {random_.sum_of(1, gpu.compute.value, plan_.step_jitter.value * gpu.compute.value)};
}

/// Of the GPUs that one stands for, itself included.
Seconds TrainingJob::slowest_of_alike(const GpuPlan& gpu, Seconds own) {
  Seconds slowest = own;
  if (plan_.step_jitter.value > 0)
    for (int other = 1; other < gpu.stands_for; ++other)
      slowest = std::max(slowest, compute_time(gpu));
  return slowest;
}

void TrainingJob::on_alike_computed(std::uint64_t) {
  alike_computed_ = engine_.now();
  --compute_left_;
  try_end_step();
}

void TrainingJob::on_gradients(std::uint64_t g) {
  if (!plan_.synchronous)
    return exchange(g).start(callback<&TrainingJob::on_own_exchange>(*this, g));
  if (++gradients_ready_ < gpus_.size()) return;
  gradients_ready_ = 0;
  exchange(g).start(callback<&TrainingJob::on_exchanged>(*this, 0));
}

void TrainingJob::on_exchanged(std::uint64_t) {
  exchanged_ = true;
  try_end_step();
}

void TrainingJob::on_own_exchange(std::uint64_t g) {
  gpus_[g].exchanging = false;
  try_finish(g);
}

void TrainingJob::on_computed(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  gpu.computing = false;
  gpu.compute_end = engine_.now();
  ++gpu.computed;
  if (!plan_.synchronous) return try_finish(g);
  --compute_left_;
  try_take(g);
  try_end_step();
}

/// Asynchronous: a GPU has computed on a batch or exchanged its gradients.
void TrainingJob::try_finish(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (stopped_ || gpu.computing || gpu.exchanging) return try_take(g);
  const Seconds now = engine_.now();
  account(g, gpu.finished, gpu.finished, {gpu.finish, save_end_, gpu.compute_end, now, now});
  gpu.finish = now;
  ++gpu.finished;
  ++finished_;
  if (plan_.staleness && gpu.finished == slowest_ + 1) leave_slowest();
  try_end_step();
  try_take(g);
  try_compute(g);
}

/// One of the slowest GPUs has finished a batch; the last of them lets the others go on.
void TrainingJob::leave_slowest() {
  if (--slowest_gpus_ > 0) return;
  ++slowest_;
  slowest_gpus_ = static_cast<std::size_t>(std::ranges::count(gpus_, slowest_, &Gpu::finished));
  wake_gpus();
}

void TrainingJob::wake_gpus() {
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    try_take(g);
    try_compute(g);
  }
}

void TrainingJob::try_end_step() {
  if (!step_is_over()) return;
  exchange_end_ = engine_.now();
  saving_ = save_is_due();
  if (saving_) return saver_->save(callback<&TrainingJob::end_step>(*this, 0));
  end_step(0);
}

bool TrainingJob::step_is_over() const {
  if (plan_.synchronous) return compute_left_ == 0 && (exchanges_.front().empty() || exchanged_);
  return !saving_ && finished_ >= (step_in_epoch_ + 1) * std::ssize(gpus_);
}

bool TrainingJob::save_is_due() const {
  if (meter_) return meter_->due();
  return saver_ && (epochs_.before + record_.steps + 1) % plan_.checkpoint->interval == 0;
}

void TrainingJob::end_step(std::uint64_t) {
  if (plan_.synchronous) account_step();
  exchanged_ = false;
  if (std::exchange(saving_, false)) save_end_ = engine_.now();
  compute_left_ = gpus_.size();
  ++step_in_epoch_;
  step_start_ = engine_.now();
  if (++record_.steps == 1) note_first_step();
  record_.end = step_start_;
  if (!drains() && !(meter_ && meter_->begun())) {
    const bool ends_segment = steady_.ends_segment();
    steady_.add(step_start_, ends_segment ? loaders_.supply() : Supply{});
    if (ends_segment) spent_at_.push_back(account_.spent());
  }
  if (plan_.synchronous && step_in_epoch_ == epoch_steps_)
    record_.epoch_ends.push_back(step_start_);
  if (meter_) measure_checkpoint();
  stopped_ = record_.steps == epochs_.steps || should_stop();
  if (stopped_) return loaders_.stop();
  if (step_in_epoch_ == epoch_steps_) return start_epoch();
  wake_gpus();
  if (!plan_.synchronous) try_end_step();  // a checkpoint lets batches end that had begun
}

void TrainingJob::measure_checkpoint() {
  if (meter_->begun()) {
    if (meter_->step_ended(saver_->writing())) meter_->end_window(mark());
  } else if (steady_.steady() ||
             record_.steps >= std::max(stop_.max_steps, kFirstSegments * segment_steps(plan_))) {
    meter_->begin(steady_.step_time(), steady_.pace(), mark());
  }
}

CheckpointMeter::Mark TrainingJob::mark() const {
  return {engine_.now(), record_.steps, loaders_.supply(), saver_->log(), account_.spent()};
}

void TrainingJob::note_first_step() {
  record_.first_step_end = engine_.now();
  for (const Gpu& gpu : gpus_)
    record_.first_step_own += gpu.compute_end / static_cast<double>(gpus_.size());
}

/// At the end of an only epoch the loaders have read all, and the stock that they leave is trained
/// faster than it came. Of an epoch that is little more than such a stock, every step counts.
bool TrainingJob::drains() const {
  const std::int64_t stock = plan_.loader.stock();
  const bool only_epoch = !plan_.synchronous || epochs_.steps <= epochs_.per_epoch;
  return only_epoch && 2 * stock <= epoch_steps_ && step_in_epoch_ > epoch_steps_ - stock;
}

bool TrainingJob::should_stop() {
  if (meter_) return meter_->done();
  if (!stop_.extrapolate) return false;
  if (stop_.max_steps > 0 && record_.steps >= stop_.max_steps) return true;
  if (record_.epoch_ends.empty()) return !saver_ && steady_.steady();
  if (step_in_epoch_ < epoch_steps_ || record_.epoch_ends.size() < 2) return false;
  // Epochs too short to become steady: stop when their mean is known.
  std::vector<double> times;
  Seconds start{};
  for (const Seconds end : record_.epoch_ends) {
    times.push_back((end - start).value);
    start = end;
  }
  epochs_known_ = confidence_of(times).half_width;
  return epochs_known_ <= stop_.precision.value;
}

void TrainingJob::account_step() {
  Seconds computed = alike_computed_;
  for (const auto& gpu : gpus_) computed = std::max(computed, gpu.compute_end);
  for (std::size_t g = 0; g < gpus_.size(); ++g)
    account(g, record_.steps, step_in_epoch_,
            {step_start_, step_start_, computed, exchange_end_, engine_.now()});
}

void TrainingJob::account(std::size_t g, std::int64_t step, std::int64_t number,
                          const Waits& waits) {
  const Gpu& gpu = gpus_[g];
  account_.add(g, step, loaders_.batch(g, number), {gpu.compute_start, gpu.compute_end}, waits);
}

}  // namespace gpufeed
