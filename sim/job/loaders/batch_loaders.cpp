// SPDX-License-Identifier: Apache-2.0
#include "sim/job/loaders/batch_loaders.h"

#include <algorithm>

namespace gpufeed {
namespace {

/// Handed over by the loader and not yet accounted for: just trained, on the GPU, with its decoding
/// engine, being copied.
constexpr std::int64_t kBatchesPastLoader = 4;

}  // namespace

double pace_deviation(const Plan& plan) {
  return std::hypot(plan.jitter.value,
                    plan.sample_jitter.value / std::sqrt(static_cast<double>(plan.batch)));
}

BatchLoaders::BatchLoaders(const Plan& plan, Engine& engine, std::uint64_t seed,
                           const Declared& declared, const HitCurve& hits, std::int64_t per_epoch,
                           Callback on_ready)
    : plan_(plan),
      engine_(engine),
      seed_(seed),
      part_deviation_(pace_deviation(plan) *
                      std::sqrt(static_cast<double>(plan.loader.parts_per_batch))),
      declared_(declared),
      hits_(hits),
      hit_rate_(hits.mean()),
      near_rate_(plan.reads_through ? hits.mean_on_drives() : 1 - hits.mean()),
      per_epoch_(per_epoch),
      on_ready_(on_ready),
      worker_slots_(static_cast<std::uint64_t>(plan.loader.batches_at_once)),
      batches_(plan.gpus.size(), BatchRing(plan.loader.stock() + kBatchesPastLoader)),
      gpus_(plan.gpus.size()),
      cores_(plan, engine),
      reader_(plan, engine, declared, cores_, worker_slots_,
              callback<&BatchLoaders::on_read>(*this, 0)),
      take_over_(plan, engine, cores_, batches_, callback<&BatchLoaders::on_taken_over>(*this, 0)) {
  for (auto& gpu : gpus_) gpu.workers.resize(worker_slots_);
}

void BatchLoaders::start_epoch(std::int64_t batches) {
  ++epoch_;
  epoch_batches_ = batches;
  listed_ = 0;
  for (auto& gpu : gpus_) {
    gpu.taken = 0;
    gpu.wanted = plan_.loader.on_demand;
    for (std::size_t w = 0; w < worker_slots_; ++w)
      gpu.workers[w].next = static_cast<std::int64_t>(w);
  }
  take_over_.start_epoch();
  if (plan_.worker_start.value == 0) return begin_epoch(0);
  engine_.after(plan_.worker_start, callback<&BatchLoaders::begin_epoch>(*this, 0));
}

/// The workers have started.
void BatchLoaders::begin_epoch(std::uint64_t) {
  if (plan_.shuffle.value > 0) return list_epoch();
  listed_ = epoch_batches_;
  start_workers();
}

/// Puts the files of one more epoch in order.
void BatchLoaders::list_epoch() {
  if (listing_) return;
  listing_ = true;
  engine_.after(plan_.shuffle, callback<&BatchLoaders::on_listed>(*this, 0));
}

void BatchLoaders::on_listed(std::uint64_t) {
  listing_ = false;
  listed_ += plan_.streams() ? plan_.steps_per_epoch : epoch_batches_;
  start_workers();
}

std::int64_t BatchLoaders::cut_epoch() {
  if (!plan_.synchronous) {
    const std::int64_t gpus = std::ssize(gpus_);
    return epoch_batches_ = (given_ + gpus - 1) / gpus;
  }
  std::int64_t begun = 0;
  for (const Gpu& gpu : gpus_) {
    begun = std::max(begun, gpu.taken);
    for (const Worker& worker : gpu.workers)
      if (const std::int64_t next = worker.next - (worker.busy ? 0 : plan_.loader.batches_at_once);
          next >= 0)
        begun = std::max(begun, next + 1);
  }
  return epoch_batches_ = begun;
}

void BatchLoaders::take_next(std::size_t gpu) {
  next(gpu).decoded = false;
  ++gpus_[gpu].taken;
  gpus_[gpu].wanted = false;
  const std::uint64_t first = gpu * worker_slots_;
  // Of workers that take numbers of their own, the one has room whose number comes into reach.
  if (plan_.synchronous && !plan_.loader.on_demand) {
    const std::int64_t reached = gpus_[gpu].taken + plan_.loader.stock() - 1;
    return start_worker(first + static_cast<std::uint64_t>(reached) % worker_slots_);
  }
  for (std::uint64_t w = 0; w < worker_slots_; ++w) start_worker(first + w);
}

void BatchLoaders::want(std::size_t gpu) {
  if (!plan_.loader.on_demand) return take_over_.want(gpu);
  gpus_[gpu].wanted = true;
  start_worker(gpu * worker_slots_);
}

void BatchLoaders::stop() {
  stopped_ = true;
  take_over_.stop();
}

void BatchLoaders::start_workers() {
  for (std::uint64_t tag = 0; tag < gpus_.size() * worker_slots_; ++tag) start_worker(tag);
}

/// Whether there is a batch for an idle worker to build; then it is the worker's next.
bool BatchLoaders::take_number(std::uint64_t tag) {
  Gpu& gpu = this->gpu(tag);
  Worker& worker = this->worker(tag);
  if (plan_.loader.on_demand && !gpu.wanted) return false;
  const std::int64_t limit = gpu.taken + plan_.loader.stock();
  if (plan_.synchronous ? worker.next >= std::min(limit, epoch_batches_)
                        : gpu.given >= limit || all_given())
    return false;
  const std::int64_t first = plan_.synchronous ? worker.next : given_ / std::ssize(gpus_);
  if (first >= listed_) {
    list_epoch();
    return false;
  }
  if (plan_.synchronous) return true;
  worker.next = gpu.given++;
  ++given_;
  return true;
}

/// Of the batch that a worker has just taken, from 0 to 1.
double BatchLoaders::place_in_epoch(const Worker& worker) const {
  const std::int64_t number = plan_.synchronous ? worker.next : (given_ - 1) / std::ssize(gpus_);
  return (static_cast<double>(number % per_epoch_) + 0.5) / static_cast<double>(per_epoch_);
}

/// How many of the samples that a batch misses in the page cache a cache on drives lacks, too.
void BatchLoaders::draw_pulled(std::uint64_t tag, double place) {
  Worker& worker = this->worker(tag);
  worker.pulled = worker.passed = 0;
  if (!plan_.reads_through || worker.batch_missed == 0) return;
  const NodeHits& found = found_by(tag);
  const std::size_t slice = NodeHits::slice_at(place);
  const double missed = 1 - found.slices[slice];
  const double far = missed - found.on_drives[slice];
  if (far <= 0) return;
  Draw drives = draw(tag, Chance::drives);
  const std::int64_t from_store =
      drives.successes(worker.batch_missed, std::min(1.0, far / missed));
  const std::int64_t pulled =
      drives.successes(from_store, std::min(1.0, found.written[slice] / far));
  const auto all = static_cast<double>(worker.batch_missed);
  worker.pulled = static_cast<double>(pulled) / all;
  worker.passed = static_cast<double>(from_store - pulled) / all;
}

/// Of the part of a batch that a worker works on.
PartOfBatch BatchLoaders::missed_of(const Worker& worker) const {
  const double far = worker.pulled + worker.passed;
  if (far <= 0) return {worker.missed, worker.missed_bytes, {}, {}};
  const auto samples = static_cast<double>(worker.missed) * (1 - far);
  const Bytes near = far < 1 ? worker.missed_bytes * (1 - far) : Bytes{};
  return {near.value > 0 ? std::max<std::int64_t>(1, std::llround(samples)) : 0, near,
          worker.missed_bytes * worker.pulled, worker.missed_bytes * worker.passed};
}

void BatchLoaders::start_worker(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (stopped_ || worker.busy || !take_number(tag)) return;
  worker.busy = true;
  Batch& batch = batch_of(tag);
  batch.read_start = batch.read_end = engine_.now();
  worker.part = 0;
  const double place = place_in_epoch(worker);
  worker.batch_missed =
      plan_.batch - draw(tag, Chance::hits)
                        .successes(plan_.batch, found_by(tag).slices[NodeHits::slice_at(place)]);
  draw_pulled(tag, place);
  start_part(tag);
}

bool BatchLoaders::last_part(const Worker& worker) const {
  return worker.part + 1 == plan_.loader.parts_per_batch;
}

void BatchLoaders::start_part(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  const auto of_part = [&](std::int64_t samples) {
    const std::int64_t parts = plan_.loader.parts_per_batch;
    return samples * (worker.part + 1) / parts - samples * worker.part / parts;
  };
  worker.part_start = engine_.now();
  worker.missed = of_part(worker.batch_missed);
  Draw sizes = draw(tag, Chance::sizes);
  worker.missed_bytes = sum_of_samples(sizes, worker.missed);
  worker.bytes =
      worker.missed_bytes + sum_of_samples(sizes, of_part(plan_.batch - worker.batch_missed));
  worker.pace = draw(tag, Chance::pace).sum_of(1, 1, part_deviation_);
  worker.tasks_left = plan_.decodes_while_reading ? 2 : 1;
  if (plan_.decodes_while_reading) decode(tag);
  reader_.begin(tag, missed_of(worker));
  if (plan_.whole_files) reader_.lay_out_files(tag, draw(tag, Chance::files));
  if (plan_.reader_time.value > 0) {
    ++worker.tasks_left;
    const double missed = worker.missed_bytes / plan_.sample_size;
    engine_.after(plan_.reader_time * (missed * worker.pace),
                  callback<&BatchLoaders::task_done>(*this, tag));
  }
  const double waits =
      static_cast<double>(worker.missed) / static_cast<double>(plan_.loader.readers_per_batch);
  const double far = worker.pulled + worker.passed;
  const GpuPlan& gpu = gpu_plan(tag);
  const Seconds each =
      far > 0 ? gpu.read_latency * (1 - far) + gpu.pull_latency * far : gpu.read_latency;
  reader_.read(tag, each * (waits * worker.pace));
}

/// For the part of a batch that a worker is about to build.
Draw BatchLoaders::draw(std::uint64_t tag, Chance of) {
  constexpr std::uint64_t kPart = std::uint64_t{1} << 36;  // more batches than an epoch has
  constexpr std::uint64_t kEpoch = kPart * kPartsUnderWay;
  return {seed_, static_cast<std::uint64_t>(of), tag / worker_slots_,
          epoch_ * kEpoch + static_cast<std::uint64_t>(worker(tag).part) * kPart +
              static_cast<std::uint64_t>(worker(tag).next)};
}

Bytes BatchLoaders::sum_of_samples(Draw& draw, std::int64_t count) const {
  return {draw.sum_of(static_cast<double>(count), plan_.sample_size.value,
                      plan_.sample_size_deviation.value)};
}

void BatchLoaders::on_read(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  read_ += worker.missed_bytes;
  batches_read_ += last_part(worker) ? 1 : 0;
  batch_of(tag).read_end += engine_.now() - worker.part_start;
  if (plan_.decodes_while_reading) return task_done(tag);
  decode(tag);
}

void BatchLoaders::decode(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  worker.decoding = true;
  worker.decode_start = engine_.now();
  const double samples = worker.bytes / plan_.sample_size;
  const double missed =
      worker.missed_bytes / plan_.sample_size * (1 - (worker.pulled + worker.passed));
  const Seconds overhead = last_part(worker) ? plan_.batch_overhead : Seconds{};
  worker.decode_work = (plan_.decode * samples + plan_.fill * missed + overhead) * worker.pace;
  const std::optional<RouteIndex> hits = gpu_plan(tag).hits;
  const Bytes copied = worker.bytes - worker.missed_bytes;
  if (hits && copied.value > 0 && declared_.in_use[*hits]) {
    ++worker.tasks_left;
    engine_.start_flow(declared_.routes[*hits], copied,
                       callback<&BatchLoaders::task_done>(*this, tag));
  }
  cores_.start(gpu_plan(tag).pool, CoreWork::decode, worker.decode_work,
               callback<&BatchLoaders::on_core_done>(*this, tag));
}

void BatchLoaders::on_core_done(std::uint64_t tag) {
  worker(tag).decoding = false;
  cores_.end(gpu_plan(tag).pool, CoreWork::decode);
  ++parts_decoded_;
  if (cores_.shared(gpu_plan(tag).pool)) shared_work_ += worker(tag).decode_work;
  task_done(tag);
}

void BatchLoaders::task_done(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (--worker.tasks_left > 0) return;
  if (last_part(worker)) return on_decoded(tag);
  ++worker.part;
  start_part(tag);
}

void BatchLoaders::on_decoded(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  Batch& done = batch_of(tag);
  done.decode_end = last_ready_ = engine_.now();
  if (worker.next == gpu(tag).taken) ++awaited_;
  const std::size_t gpu = tag / worker_slots_;
  const bool handed_over = !plan_.takes_over();
  done.decoded = handed_over;
  done.built = !handed_over;
  worker.next += plan_.loader.batches_at_once;
  worker.busy = false;
  start_worker(tag);
  if (handed_over) return on_ready_.call(on_ready_.target, gpu);
  take_over_.built(gpu);
}

void BatchLoaders::on_taken_over(std::uint64_t gpu) {
  last_ready_ = engine_.now();
  on_ready_.call(on_ready_.target, gpu);
}

Supply BatchLoaders::supply() const {
  Bytes near{}, far{};
  const auto parts = static_cast<double>(plan_.loader.parts_per_batch);
  double decoded = static_cast<double>(parts_decoded_) / parts;
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    for (const RouteIndex route : plan_.gpus[g].reads)
      if (declared_.in_use[route]) near += engine_.moved(declared_.routes[route]);
    for (const auto* routes : {&plan_.gpus[g].pulls, &plan_.gpus[g].passes})
      for (const RouteIndex route : *routes)
        if (declared_.in_use[route]) far += engine_.moved(declared_.routes[route]);
    for (const Worker& worker : gpus_[g].workers)
      if (worker.decoding && worker.decode_work.value > 0 && !cores_.shared(plan_.gpus[g].pool))
        decoded += (engine_.now() - worker.decode_start) /
                   (worker.decode_work / static_cast<double>(plan_.loader.threads_per_batch)) /
                   parts;
  }
  const Seconds mean = (plan_.decode + plan_.fill * near_rate_) * static_cast<double>(plan_.batch) +
                       plan_.batch_overhead;
  if (mean.value > 0) decoded += (cores_.decoded() - shared_work_) / mean;
  const auto gpus = static_cast<double>(gpus_.size());
  constexpr double kNextToNothing = 0.01;  // read so seldom, batches come in bursts
  const double missed = 1 - hit_rate_;
  const double batches_read = missed < kNextToNothing
                                  ? static_cast<double>(batches_read_) / gpus
                                  : (near / (plan_.sample_size * plan_.read_per_byte) +
                                     far / (plan_.sample_size * plan_.pull_per_byte)) /
                                        missed / plan_.global_batch();
  return {batches_read, decoded / gpus, static_cast<double>(awaited_)};
}

}  // namespace gpufeed
