// SPDX-License-Identifier: Apache-2.0
#include "sim/job/job.h"

#include <algorithm>
#include <utility>

#include "sim/base/assert.h"
#include "sim/job/counted_steps.h"
#include "sim/job/links/declare.h"
#include "sim/job/precision.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// That a run takes whatever it may stop at: the first is warm-up, a second one is needed to count.
constexpr std::int64_t kFirstSegments = 2;

}  // namespace

TrainingJob::TrainingJob(const Plan& plan, Engine& engine, std::uint64_t seed, const StopRule& stop,
                         const Epochs& epochs)
    : plan_(plan),
      engine_(engine),
      seed_(seed),
      stop_(stop),
      epochs_(epochs),
      declared_(declare(plan, engine)),
      loaders_(plan, engine, seed, declared_, epochs.hits, epochs.per_epoch,
               callback<&TrainingJob::try_take>(*this, 0)),
      least_steps_(steps_to_mix(plan, pace_deviation(plan))),
      steady_(segment_steps(plan), stop.precision, fed_step(plan), least_steps_,
              plan.gpus.size() * effort_of_batch(plan)),
      epochs_mean_(stop.precision),
      recorder_(stop.record ? std::optional<Recorder>({plan.gpus.size(), epochs.per_epoch})
                            : std::nullopt),
      account_(plan, recorder_ ? &*recorder_ : nullptr) {
  if (plan.synchronous)
    exchanges_.emplace_back(plan, engine, declared_.routes, declared_.binds);
  else
    for (const auto& gpu : plan.gpus) exchanges_.emplace_back(gpu, engine, declared_.routes);
  gpus_.resize(plan.gpus.size());
  if (stop.saving != Saving::none) saver_.emplace(plan, engine, declared_.routes);
  if (stop.saving == Saving::measured) meter_.emplace(plan, segment_steps(plan), stop.precision);
}

Record TrainingJob::run() {
  if (stop_.saving == Saving::in_place && stop_.backlog == Backlog::full) saver_->fill_cache();
  start_epoch();
  engine_.run();
  GPUFEED_ASSERT(stopped_, "every step comes to its end");
  record_.simulated = record_.steps;
  record_.converged = epochs_.hits.flat() && steady_.steady();
  record_.pace = record_.converged ? steady_.pace() : Pace::trained;
  record_.spent = account_.spent();
  if (recorder_) record_.recorded = recorder_->end();
  record_.read = loaders_.read();
  record_.batches_read = loaders_.batches_read();
  record_.filling = record_.filling / static_cast<double>(gpus_.size());
  record_.last_ready = loaders_.last_ready();
  if (saver_) record_.saves = saver_->log();
  if (meter_) record_.checkpoint = meter_->cost();
  const FinishedRun ran{plan_, epochs_, stop_, steady_, least_steps_, spent_at_};
  tell_steady_step(record_, ran);
  tell_precision(record_, ran);
  return std::move(record_);
}

void TrainingJob::start_epoch() {
  const std::int64_t left = epochs_.steps - record_.steps;
  epoch_steps_ = plan_.streams() ? left : std::min(epochs_.per_epoch, left);
  step_in_epoch_ = 0;
  step_start_ = epoch_start_ = engine_.now();
  compute_left_ = slowest_gpus_ = gpus_.size();
  for (Gpu& gpu : gpus_) gpu.copied = gpu.decoded = gpu.computed = 0;
  loaders_.start_epoch(epoch_steps_);
}

/// Whether a GPU may begin to compute on its next batch, once it is there.
bool TrainingJob::may_begin(const Gpu& gpu) const {
  if (stopped_ || gpu.computing) return false;
  if (plan_.synchronous) return gpu.computed <= step_in_epoch_;
  if (gpu.exchanging || saving_) return false;
  return !plan_.staleness || loaders_.all_given() || gpu.finished <= slowest_ + *plan_.staleness;
}

void TrainingJob::try_compute(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (!may_begin(gpu) || gpu.decoded <= gpu.computed) return;
  gpu.computing = true;
  gpu.compute_start = engine_.now();
  if (gpu.computed == 0) record_.filling += gpu.compute_start - epoch_start_;
  Draw draw = this->draw(g);
  const Seconds compute = compute_time(plan_.gpus[g], draw);
  const Seconds slowest = slowest_of_alike(plan_.gpus[g], compute, draw);
  if (!exchange(g).empty()) {
    gpu.exchanging = true;
    gpu.beside = slowest * plan_.overlap.value;
    engine_.after(slowest * (1 - plan_.overlap.value),
                  callback<&TrainingJob::on_gradients>(*this, g));
  }
  engine_.after(compute, callback<&TrainingJob::on_computed>(*this, g));
  if (slowest <= compute) return;
  ++compute_left_;
  engine_.after(slowest, callback<&TrainingJob::on_alike_computed>(*this, g));
}

Computed TrainingJob::work_on_batch(std::size_t g) const {
  const Gpu& gpu = gpus_[g];
  const GpuPlan& plan = plan_.gpus[g];
  const Seconds all = gpu.compute_end - gpu.compute_start;
  const double decoding =
      plan.decode_in_compute.value > 0 ? plan.decode_in_compute / plan.compute : 0;
  return {gpu.compute_start, gpu.compute_start + all * decoding, gpu.compute_end};
}

/// For the step that a GPU begins.
Draw TrainingJob::draw(std::uint64_t g) const {
  const std::int64_t step = plan_.synchronous ? record_.steps : gpus_[g].computed;
  return {seed_, static_cast<std::uint64_t>(Chance::compute), g, static_cast<std::uint64_t>(step)};
}

Seconds TrainingJob::compute_time(const GpuPlan& gpu, Draw& draw) const {
  return {draw.sum_of(1, gpu.compute.value, plan_.step_jitter.value * gpu.compute.value)};
}

/// Of the GPUs that one stands for, itself included.
Seconds TrainingJob::slowest_of_alike(const GpuPlan& gpu, Seconds own, Draw& draw) const {
  Seconds slowest = own;
  if (plan_.step_jitter.value > 0)
    for (int other = 1; other < gpu.stands_for; ++other)
      slowest = std::max(slowest, compute_time(gpu, draw));
  return slowest;
}

void TrainingJob::on_alike_computed(std::uint64_t) {
  alike_computed_ = engine_.now();
  note_computed();
  try_end_step();
}

void TrainingJob::note_computed() {
  if (--compute_left_ == 0) exchanges_.front().computed();
}

void TrainingJob::on_gradients(std::uint64_t g) {
  if (!plan_.synchronous)
    return exchange(g).start(gpus_[g].beside, callback<&TrainingJob::on_own_exchange>(*this, g));
  if (++gradients_ready_ < gpus_.size()) return;
  gradients_ready_ = 0;
  exchange(g).start(gpus_[g].beside, callback<&TrainingJob::on_exchanged>(*this, 0));
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
  note_computed();
  try_take(g);
  try_end_step();
}

/// Asynchronous: a GPU has computed on a batch or exchanged its gradients.
void TrainingJob::try_finish(std::uint64_t g) {
  Gpu& gpu = gpus_[g];
  if (stopped_ || gpu.computing || gpu.exchanging) return try_take(g);
  const Seconds now = engine_.now();
  account(g, gpu.finished, gpu.finished, {gpu.finish, save_end_, gpu.compute_end, now, now}, {});
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
  if (saving_ && recorder_) recorder_->save_after(record_.steps);
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
  if (in_first_epoch() && !drains() && !record_.cut && !(meter_ && meter_->begun())) {
    const bool ends_segment = steady_.ends_segment();
    steady_.add(step_start_, ends_segment ? loaders_.supply() : Supply{});
    if (ends_segment) spent_at_.push_back(account_.spent());
  }
  if (recorder_) recorder_->end_step(record_.steps, may_cut());
  if (!record_.cut) note_epoch_end();
  if (meter_) measure_checkpoint();
  if (may_cut()) cut_epoch();
  if (record_.steps == epochs_.steps || should_stop()) stop();
  if (stopped_) return;
  if (step_in_epoch_ == epoch_steps_) return start_epoch();
  wake_gpus();
  if (!plan_.synchronous) try_end_step();  // a checkpoint lets batches end that had begun
}

void TrainingJob::stop() {
  stopped_ = true;
  if (saver_) record_.unsaved = saver_->unsaved();
  loaders_.stop();
}

void TrainingJob::measure_checkpoint() {
  if (meter_->begun()) {
    if (meter_->step_ended(saver_->writing())) meter_->end_window(mark());
  } else if (steady_.steady() ||
             record_.steps >= std::max(stop_.max_steps, kFirstSegments * segment_steps(plan_))) {
    if (stop_.backlog == Backlog::full) saver_->fill_cache();
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

/// At the end of an epoch the loaders have read all, and the stock that they leave is trained
/// faster than it came. Of an epoch that is little more than such a stock, every step counts.
bool TrainingJob::drains() const {
  const std::int64_t stock = plan_.loader.stock();
  return 2 * stock <= epoch_steps_ && step_in_epoch_ > epoch_steps_ - stock;
}

bool TrainingJob::should_stop() const {
  if (meter_) return meter_->done();
  if (record_.cut) return step_in_epoch_ == epoch_steps_;
  if (!stop_.extrapolate || in_first_epoch()) return false;
  return most_steps() || (step_in_epoch_ == epoch_steps_ && epochs_mean_.enough());
}

/// Epochs that run into one another are one.
bool TrainingJob::in_first_epoch() const { return plan_.streams() || record_.epoch_ends.empty(); }

bool TrainingJob::most_steps() const {
  return stop_.max_steps > 0 && record_.steps >= stop_.max_steps;
}

/// Whether the steps that are left of the first epoch need not be simulated.
bool TrainingJob::may_cut() const {
  if (record_.cut || meter_ || !stop_.extrapolate || !in_first_epoch()) return false;
  return most_steps() || (steady_.steady() && !saver_ && epochs_.hits.flat());
}

/// Lets the loaders end what they have begun and the GPUs train it, as at the end of the epoch;
/// not where the most steps are over.
void TrainingJob::cut_epoch() {
  record_.cut = {record_.steps, step_start_, steady_.steady()};
  if (!record_.cut->ran_dry) return stop();
  epoch_steps_ = loaders_.cut_epoch();
}

void TrainingJob::note_epoch_end() {
  if (record_.steps % epochs_.per_epoch != 0 && record_.steps < epochs_.steps) return;
  record_.epoch_ends.push_back(step_start_);
  if (!in_first_epoch()) know_epochs();
}

void TrainingJob::know_epochs() {
  const bool last = record_.steps == epochs_.steps;
  const auto whole = static_cast<std::size_t>(record_.steps / epochs_.per_epoch);
  if (whole < 2 || (!stop_.extrapolate && !last)) return;
  epochs_mean_.look(record_.epoch_ends, whole,
                    static_cast<double>(record_.steps) *
                        static_cast<double>(gpus_.size() * effort_of_batch(plan_)));
  record_.epochs_known = epochs_mean_.half_width();
}

void TrainingJob::account_step() {
  const auto last = static_cast<std::size_t>(
      std::ranges::max_element(gpus_, {}, &Gpu::compute_end) - gpus_.begin());
  const Seconds computed = std::max(alike_computed_, gpus_[last].compute_end);
  TimeSpent last_spent = TimeAccount::until_computed(
      step_start_, loaders_.batch(last, step_in_epoch_), work_on_batch(last));
  // One that it stands for computes longer.
  last_spent[static_cast<std::size_t>(Activity::compute)] +=
      (computed - gpus_[last].compute_end).value;
  for (std::size_t g = 0; g < gpus_.size(); ++g)
    account(g, record_.steps, step_in_epoch_,
            {step_start_, step_start_, computed, exchange_end_, engine_.now()}, last_spent);
}

void TrainingJob::account(std::size_t g, std::int64_t step, std::int64_t number, const Waits& waits,
                          const TimeSpent& last) {
  account_.add(g, step, loaders_.batch(g, number), work_on_batch(g), waits, last);
}

}  // namespace gpufeed
