// SPDX-License-Identifier: Apache-2.0
#include "sim/training/job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/assert.h"
#include "sim/training/declare.h"
#include "sim/training/limits.h"
#include "sim/training/stages.h"

namespace gpufeed {
namespace {

constexpr std::int64_t kTimelineSteps = 8;
constexpr std::size_t kTimelineGpus = 16;
/// Handed over by the loader and not yet accounted for: on the GPU, being copied, just trained.
constexpr std::int64_t kBatchesPastLoader = 3;

/// Whole cycles of the workers, so that a segment holds whole bursts; 8 steps or more.
std::int64_t segment_steps(const Plan& plan) {
  const std::int64_t cycle = plan.workers_per_gpu;
  return cycle * ((8 + cycle - 1) / cycle);
}

std::size_t index(Activity activity) { return static_cast<std::size_t>(activity); }

}  // namespace

TrainingJob::TrainingJob(const Plan& plan, Engine& engine, Random& random, const StopRule& stop,
                         const Epochs& epochs)
    : plan_(plan),
      engine_(engine),
      random_(random),
      stop_(stop),
      epochs_(epochs),
      worker_slots_(static_cast<std::uint64_t>(plan.workers_per_gpu)),
      steady_(segment_steps(plan), stop.precision, undisturbed_step(plan)) {
  Declared declared = declare(plan, engine);
  routes_ = std::move(declared.routes);
  in_use_ = std::move(declared.in_use);
  stripes_alike_ = declared.stripes_alike;
  for (const double cores : plan.cores) {
    const double at_once = std::max(1.0, std::floor(cores / static_cast<double>(plan.threads)));
    pools_.push_back({static_cast<std::int64_t>(at_once), at_once / cores, {}});
  }
  if (plan.synchronous)
    exchanges_.emplace_back(plan, engine, routes_, declared.binds);
  else
    for (const auto& gpu : plan.gpus) exchanges_.emplace_back(gpu, engine, routes_);
  gpus_.resize(plan.gpus.size());
  for (auto& gpu : gpus_) {
    gpu.workers.resize(worker_slots_);
    if (plan.whole_files)
      for (auto& worker : gpu.workers) worker.files.resize(plan.sources.size());
    gpu.ring.resize(
        static_cast<std::size_t>(plan.workers_per_gpu * plan.prefetch + kBatchesPastLoader));
  }
  spent_.resize(plan.gpus.size());
  if (stop.saving != Saving::none) saver_.emplace(plan, engine, routes_);
  if (stop.saving == Saving::measured) meter_.emplace(plan, segment_steps(plan), stop.precision);
}

Record TrainingJob::run() {
  start_epoch();
  engine_.run();
  GPUFEED_ASSERT(stopped_ || record_.steps == epochs_.steps, "every step comes to its end");
  record_.converged = steady_.steady();
  record_.pace = record_.converged ? steady_.pace() : Pace::trained;
  record_.passed = record_.converged ? steady_.passed() : static_cast<double>(record_.steps);
  record_.spent = record_.spent_in_all = spent_;
  if (saver_) record_.saves = saver_->log();
  if (meter_) record_.checkpoint = meter_->cost();
  record_.step_time = {record_.first_step_end.value, kUnknown};
  if (record_.steps > 1) {  // leave the first fill, and the warm-up where there is one, out
    record_.step_time = steady_.step_time();
    if (record_.step_time.half_width == kUnknown) record_.step_time.half_width = epochs_known_;
    const std::size_t from = std::min(steady_.warm_up(), spent_at_.size() - 1);
    if (spent_at_.size() > from + 1) record_.spent = spent_at_.back();
    for (std::size_t g = 0; g < spent_.size(); ++g)
      for (std::size_t a = 0; a < kActivities; ++a) record_.spent[g][a] -= spent_at_[from][g][a];
  }
  return std::move(record_);
}

void TrainingJob::start_epoch() {
  const std::int64_t left = epochs_.steps - record_.steps;
  epoch_steps_ = plan_.synchronous ? std::min(plan_.steps_per_epoch, left) : left;
  step_in_epoch_ = 0;
  step_start_ = engine_.now();
  compute_left_ = slowest_gpus_ = gpus_.size();
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    gpus_[g].taken = gpus_[g].copied = gpus_[g].computed = 0;
    for (std::size_t w = 0; w < worker_slots_; ++w) {
      gpus_[g].workers[w].next = static_cast<std::int64_t>(w);
      start_worker(g * worker_slots_ + w);
    }
  }
}

/// Whether there is a batch for an idle worker to build; then it is the worker's next.
bool TrainingJob::take_number(std::uint64_t tag) {
  Gpu& gpu = this->gpu(tag);
  Worker& worker = this->worker(tag);
  const std::int64_t limit = gpu.taken + plan_.workers_per_gpu * plan_.prefetch;
  if (plan_.synchronous) return worker.next < std::min(limit, epoch_steps_);
  if (gpu.given >= limit || all_given()) return false;
  worker.next = gpu.given++;
  ++given_;
  return true;
}

void TrainingJob::start_worker(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (stopped_ || worker.busy || !take_number(tag)) return;
  worker.busy = true;
  batch(gpu(tag), worker.next).read_start = engine_.now();
  worker.missed = plan_.batch - random_.successes(plan_.batch, epochs_.hit_rate);
  worker.missed_bytes = sum_of_samples(worker.missed);
  worker.bytes = worker.missed_bytes + sum_of_samples(plan_.batch - worker.missed);
  worker.pace = random_.sum_of(1, 1, plan_.jitter.value);
  worker.parts_left = plan_.decodes_while_reading ? 2 : 1;
  if (plan_.decodes_while_reading) want_core({tag});
  if (fetches_beside()) {
    ++worker.parts_left;
    want_core({tag, true});
  }
  const double waits = static_cast<double>(worker.missed) / static_cast<double>(plan_.readers);
  engine_.after(gpu_plan(tag).read_latency * (waits * worker.pace),
                callback<&TrainingJob::read>(*this, tag));
}

Bytes TrainingJob::sum_of_samples(std::int64_t count) {
  return {random_.sum_of(static_cast<double>(count), plan_.sample_size.value,
                         plan_.sample_size_deviation.value)};
}

void TrainingJob::read(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  worker.flows_left = 1;  // until all have started
  read_parts(tag);
  on_read(tag);
}

/// Starts the flows of a batch: equal stripes, or the whole files of its first drive.
void TrainingJob::read_parts(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  const GpuPlan& gpu = gpu_plan(tag);
  const auto start = [&](int route, Bytes size) {
    if (size.value <= 0 || !in_use_[static_cast<std::size_t>(route)]) return;
    ++worker.flows_left;
    engine_.start_flow(routes_[static_cast<std::size_t>(route)], size,
                       callback<&TrainingJob::on_read>(*this, tag));
  };
  if (plan_.whole_files) {
    lay_out_files(worker);
    // One reader takes them drive by drive, several readers as many drives at the same time.
    for (std::size_t i = 0; i < plan_.sources_at_once() && read_files(tag); ++i)
      ++worker.flows_left;
  } else {
    const double flows = stripes_alike_ ? 1 : static_cast<double>(gpu.reads.size());
    for (const int route : gpu.reads) start(route, worker.missed_bytes / flows);
  }
  if (gpu.hits >= 0) start(gpu.hits, worker.bytes - worker.missed_bytes);
}

/// How many files of a batch lie on each drive, and with which it begins.
void TrainingJob::lay_out_files(Worker& worker) {
  const std::size_t sources = worker.files.size();
  std::int64_t left = worker.missed;
  for (std::size_t i = 0; i < sources; ++i) {
    worker.files[i] = random_.successes(left, 1.0 / static_cast<double>(sources - i));
    left -= worker.files[i];
  }
  worker.source =
      static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(sources) - 1));
}

/// Starts to read the files of the next drive; false where none is left.
bool TrainingJob::read_files(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  const std::size_t sources = worker.files.size();
  for (std::size_t tried = 0; tried < sources; ++tried) {
    const std::size_t source = (worker.source + tried) % sources;
    const std::int64_t files = std::exchange(worker.files[source], 0);
    if (files == 0) continue;
    worker.source = source;
    const double share = static_cast<double>(files) / static_cast<double>(worker.missed);
    engine_.start_flow(routes_[static_cast<std::size_t>(gpu_plan(tag).reads[source])],
                       worker.missed_bytes * share,
                       callback<&TrainingJob::on_files_read>(*this, tag));
    return true;
  }
  return false;
}

void TrainingJob::on_files_read(std::uint64_t tag) {
  if (!read_files(tag)) on_read(tag);
}

void TrainingJob::on_read(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (--worker.flows_left > 0) return;
  record_.read += worker.missed_bytes;
  ++record_.batches_read;
  batch(gpu(tag), worker.next).read_end = engine_.now();
  if (plan_.decodes_while_reading) return part_done(tag);
  want_core({tag});
}

void TrainingJob::want_core(CoreWork work) {
  Pool& pool = this->pool(work.tag);
  pool.waiting.push_back(work);
  if (pool.free > 0) take_core(pool);
}

/// Gives a free core to the work that has waited longest.
void TrainingJob::take_core(Pool& pool) {
  const CoreWork work = pool.waiting.front();
  pool.waiting.pop_front();
  --pool.free;
  if (work.fetches)
    fetch(work.tag);
  else
    decode(work.tag);
}

void TrainingJob::decode(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  worker.decoding = true;
  worker.decode_start = engine_.now();
  const double samples = worker.bytes / plan_.sample_size;
  const double missed = worker.missed_bytes / plan_.sample_size;
  const Seconds fetch = fetches_beside() ? Seconds{} : plan_.fetch * missed;
  worker.decode_time =
      (plan_.decode * samples + fetch + plan_.batch_overhead) * (worker.pace * pool(tag).stretch);
  engine_.after(worker.decode_time, callback<&TrainingJob::on_core_done>(*this, tag));
}

void TrainingJob::fetch(std::uint64_t tag) {
  const double missed = worker(tag).missed_bytes / plan_.sample_size;
  engine_.after(plan_.fetch * (missed * pool(tag).stretch),
                callback<&TrainingJob::on_fetched>(*this, tag));
}

void TrainingJob::release_core(std::uint64_t tag) {
  Pool& pool = this->pool(tag);
  ++pool.free;
  if (!pool.waiting.empty()) take_core(pool);
}

void TrainingJob::on_fetched(std::uint64_t tag) {
  release_core(tag);
  part_done(tag);
}

void TrainingJob::on_core_done(std::uint64_t tag) {
  release_core(tag);
  worker(tag).decoding = false;
  ++batches_decoded_;
  part_done(tag);
}

void TrainingJob::part_done(std::uint64_t tag) {
  if (--worker(tag).parts_left == 0) on_decoded(tag);
}

void TrainingJob::on_decoded(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  Batch& done = batch(gpu(tag), worker.next);
  done.decode_end = engine_.now();
  done.decoded = true;
  worker.next += plan_.workers_per_gpu;
  worker.busy = false;
  start_worker(tag);
  try_take(tag - tag % worker_slots_);
}

/// Whether a GPU may begin to compute on its next batch, once it is there.
bool TrainingJob::may_begin(const Gpu& gpu) const {
  if (stopped_ || gpu.computing) return false;
  if (plan_.synchronous) return gpu.computed <= step_in_epoch_;
  if (gpu.exchanging || saving_) return false;
  return !plan_.staleness || all_given() || gpu.finished <= slowest_ + *plan_.staleness;
}

void TrainingJob::try_take(std::uint64_t first_tag) {
  if (gpu_plan(first_tag).copy >= 0) return try_copy(first_tag);
  Gpu& gpu = this->gpu(first_tag);
  Batch& next = batch(gpu, gpu.taken);
  if (!may_begin(gpu) || gpu.taken > gpu.computed || !next.decoded) return;
  next.decoded = false;
  next.copy_end = engine_.now();
  ++gpu.taken;
  ++gpu.copied;
  for (std::uint64_t w = 0; w < worker_slots_; ++w) start_worker(first_tag + w);
  try_compute(first_tag);
}

/// Takes the next batch off the loader when it is ready and the GPU has room for it: one batch
/// beside the one it computes on.
void TrainingJob::try_copy(std::uint64_t first_tag) {
  Gpu& gpu = this->gpu(first_tag);
  if (stopped_ || gpu.copying || gpu.taken >= gpu.computed + 2) return;
  Batch& next = batch(gpu, gpu.taken);
  if (!next.decoded) return;
  next.decoded = false;
  gpu.copying = true;
  ++gpu.taken;
  for (std::uint64_t w = 0; w < worker_slots_; ++w) start_worker(first_tag + w);
  engine_.after(plan_.route(gpu_plan(first_tag).copy).latency,
                callback<&TrainingJob::copy>(*this, first_tag));
}

void TrainingJob::copy(std::uint64_t first_tag) {
  engine_.start_flow(routes_[static_cast<std::size_t>(gpu_plan(first_tag).copy)],
                     plan_.input_size * static_cast<double>(plan_.batch),
                     callback<&TrainingJob::on_copied>(*this, first_tag));
}

void TrainingJob::on_copied(std::uint64_t first_tag) {
  Gpu& gpu = this->gpu(first_tag);
  gpu.copying = false;
  batch(gpu, gpu.copied++).copy_end = engine_.now();
  try_compute(first_tag);
  try_copy(first_tag);
}

void TrainingJob::try_compute(std::uint64_t first_tag) {
  Gpu& gpu = this->gpu(first_tag);
  if (!may_begin(gpu) || gpu.copied <= gpu.computed) return;
  gpu.computing = true;
  gpu.compute_start = engine_.now();
  const Seconds compute = compute_time(gpu_plan(first_tag));
  const Seconds slowest = slowest_of_alike(gpu_plan(first_tag), compute);
  if (!exchange(first_tag).empty()) {
    gpu.exchanging = true;
    engine_.after(slowest * (1 - plan_.overlap.value),
                  callback<&TrainingJob::on_gradients>(*this, first_tag));
  }
  engine_.after(compute, callback<&TrainingJob::on_computed>(*this, first_tag));
  if (slowest <= compute) return;
  ++compute_left_;
  engine_.after(slowest, callback<&TrainingJob::on_alike_computed>(*this, first_tag));
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

void TrainingJob::on_gradients(std::uint64_t first_tag) {
  if (!plan_.synchronous)
    return exchange(first_tag).start(callback<&TrainingJob::on_own_exchange>(*this, first_tag));
  if (++gradients_ready_ < gpus_.size()) return;
  gradients_ready_ = 0;
  exchange(first_tag).start(callback<&TrainingJob::on_exchanged>(*this, 0));
}

void TrainingJob::on_exchanged(std::uint64_t) {
  exchanged_ = true;
  try_end_step();
}

void TrainingJob::on_own_exchange(std::uint64_t first_tag) {
  gpu(first_tag).exchanging = false;
  try_finish(first_tag);
}

void TrainingJob::on_computed(std::uint64_t first_tag) {
  Gpu& gpu = this->gpu(first_tag);
  gpu.computing = false;
  gpu.compute_end = engine_.now();
  ++gpu.computed;
  if (!plan_.synchronous) return try_finish(first_tag);
  --compute_left_;
  try_take(first_tag);
  try_end_step();
}

/// Asynchronous: a GPU has computed on a batch or exchanged its gradients.
void TrainingJob::try_finish(std::uint64_t first_tag) {
  Gpu& gpu = this->gpu(first_tag);
  if (stopped_ || gpu.computing || gpu.exchanging) return try_take(first_tag);
  const Seconds now = engine_.now();
  account(first_tag / worker_slots_, gpu.finished, gpu.finished,
          {gpu.finish, save_end_, gpu.compute_end, now, now});
  gpu.finish = now;
  ++gpu.finished;
  ++finished_;
  if (plan_.staleness && gpu.finished == slowest_ + 1) leave_slowest();
  try_end_step();
  try_take(first_tag);
  try_compute(first_tag);
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
    try_take(g * worker_slots_);
    try_compute(g * worker_slots_);
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
    steady_.add(step_start_, ends_segment ? supply() : Supply{});
    if (ends_segment) spent_at_.push_back(spent_);
  }
  if (plan_.synchronous && step_in_epoch_ == epoch_steps_)
    record_.epoch_ends.push_back(step_start_);
  if (meter_) measure_checkpoint();
  stopped_ = record_.steps == epochs_.steps || should_stop();
  if (stopped_) return;
  if (step_in_epoch_ == epoch_steps_) return start_epoch();
  wake_gpus();
  if (!plan_.synchronous) try_end_step();  // a checkpoint lets batches end that had begun
}

void TrainingJob::measure_checkpoint() {
  if (meter_->begun()) {
    if (meter_->step_ended(saver_->writing())) meter_->end_window(mark());
  } else if (steady_.steady() ||
             record_.steps >= std::max(stop_.max_steps, 2 * segment_steps(plan_))) {
    meter_->begin(steady_.step_time(), steady_.pace(), mark());
  }
}

CheckpointMeter::Mark TrainingJob::mark() const {
  return {engine_.now(), record_.steps, supply(), saver_->log(), spent_};
}

void TrainingJob::note_first_step() {
  record_.first_step_end = engine_.now();
  for (const Gpu& gpu : gpus_)
    record_.first_step_own += gpu.compute_end / static_cast<double>(gpus_.size());
}

/// At the end of an only epoch the loaders have read all, and the stock that they leave is trained
/// faster than it came. Of an epoch that is little more than such a stock, every step counts.
bool TrainingJob::drains() const {
  const std::int64_t stock = plan_.workers_per_gpu * plan_.prefetch;
  const bool only_epoch = !plan_.synchronous || epochs_.steps <= plan_.steps_per_epoch;
  return only_epoch && 2 * stock <= epoch_steps_ && step_in_epoch_ > epoch_steps_ - stock;
}

Supply TrainingJob::supply() const {
  Bytes read{};
  double decoded = static_cast<double>(batches_decoded_);
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    for (const int read_route : plan_.gpus[g].reads)
      if (const auto route = static_cast<std::size_t>(read_route); in_use_[route])
        read += engine_.moved(routes_[route]);
    for (const Worker& worker : gpus_[g].workers)
      if (worker.decoding && worker.decode_time.value > 0)
        decoded += (engine_.now() - worker.decode_start) / worker.decode_time;
  }
  const auto gpus = static_cast<double>(gpus_.size());
  constexpr double kNextToNothing = 0.01;  // read so seldom, batches come in bursts
  const double missed = 1 - epochs_.hit_rate;
  if (missed < kNextToNothing)
    return {static_cast<double>(record_.batches_read) / gpus, decoded / gpus};
  return {read / plan_.sample_size / missed / plan_.global_batch(), decoded / gpus};
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

/// Splits the time that a GPU took for a batch: a checkpoint that it waited for, waiting for the
/// batch, for others before and after computing, the exchange, and the checkpoint that follows.
void TrainingJob::account(std::size_t g, std::int64_t step, std::int64_t number,
                          const Waits& waits) {
  Gpu& gpu = gpus_[g];
  const Batch& used = batch(gpu, number);
  GPUFEED_ASSERT(used.copy_end <= gpu.compute_start, "a batch is kept until its step is over");
  Seconds from = waits.from;
  const auto spend = [&](Activity activity, Seconds until) {
    if (until <= from) return;
    spent_[g][index(activity)] += (until - from).value;
    if (step < kTimelineSteps && g < kTimelineGpus)
      record_.timeline.push_back({plan_.gpus[g].number, step, activity, from.value, until.value});
    from = until;
  };
  spend(Activity::checkpoint, std::min(waits.stopped, gpu.compute_start));
  // While a GPU waits for the loader, its batch has been read and decoded: both delayed it, each
  // by the time it took.
  const Seconds lifetime = used.decode_end - used.read_start;
  if (used.decode_end > from && lifetime.value > 0)
    spend(Activity::storage,
          from + (used.decode_end - from) * ((used.read_end - used.read_start) / lifetime));
  spend(Activity::decode, used.decode_end);
  spend(Activity::copy, used.copy_end);
  spend(Activity::barrier, gpu.compute_start);
  spend(Activity::compute, gpu.compute_end);
  spend(Activity::barrier, waits.computed);
  spend(Activity::exchange, waits.exchanged);
  spend(Activity::checkpoint, waits.until);
}

}  // namespace gpufeed
