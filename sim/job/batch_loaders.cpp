// SPDX-License-Identifier: Apache-2.0
#include "sim/job/batch_loaders.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpufeed {
namespace {

/// Handed over by the loader and not yet accounted for: on the GPU, being copied, just trained.
constexpr std::int64_t kBatchesPastLoader = 3;

}  // namespace

BatchLoaders::BatchLoaders(const Plan& plan, Engine& engine, Random& random,
                           const Declared& declared, double hit_rate, Callback on_ready)
    : plan_(plan),
      engine_(engine),
      random_(random),
      declared_(declared),
      hit_rate_(hit_rate),
      on_ready_(on_ready),
      worker_slots_(static_cast<std::uint64_t>(plan.loader.batches_at_once)) {
  for (const double cores : plan.cores) {
    const double at_once =
        std::max(1.0, std::floor(cores / static_cast<double>(plan.loader.threads_per_batch)));
    pools_.push_back({static_cast<std::int64_t>(at_once), at_once / cores, {}});
  }
  gpus_.resize(plan.gpus.size());
  for (auto& gpu : gpus_) {
    gpu.workers.resize(worker_slots_);
    if (plan.whole_files)
      for (auto& worker : gpu.workers) worker.files.resize(plan.sources.size());
    gpu.ring.resize(static_cast<std::size_t>(plan.loader.stock() + kBatchesPastLoader));
  }
}

void BatchLoaders::start_epoch(std::int64_t batches) {
  epoch_batches_ = batches;
  for (auto& gpu : gpus_) {
    gpu.taken = 0;
    for (std::size_t w = 0; w < worker_slots_; ++w)
      gpu.workers[w].next = static_cast<std::int64_t>(w);
  }
  if (plan_.shuffle.value == 0) return start_workers(0);
  engine_.after(plan_.shuffle, callback<&BatchLoaders::start_workers>(*this, 0));
}

void BatchLoaders::take_next(std::size_t gpu) {
  next(gpu).decoded = false;
  ++gpus_[gpu].taken;
  for (std::uint64_t w = 0; w < worker_slots_; ++w) start_worker(gpu * worker_slots_ + w);
}

void BatchLoaders::start_workers(std::uint64_t) {
  for (std::uint64_t tag = 0; tag < gpus_.size() * worker_slots_; ++tag) start_worker(tag);
}

/// Whether there is a batch for an idle worker to build; then it is the worker's next.
bool BatchLoaders::take_number(std::uint64_t tag) {
  Gpu& gpu = this->gpu(tag);
  Worker& worker = this->worker(tag);
  const std::int64_t limit = gpu.taken + plan_.loader.stock();
  if (plan_.synchronous) return worker.next < std::min(limit, epoch_batches_);
  if (gpu.given >= limit || all_given()) return false;
  worker.next = gpu.given++;
  ++given_;
  return true;
}

void BatchLoaders::start_worker(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (stopped_ || worker.busy || !take_number(tag)) return;
  worker.busy = true;
  batch_of(tag).read_start = engine_.now();
  worker.missed = plan_.batch - random_.successes(plan_.batch, hit_rate_);
  worker.missed_bytes = sum_of_samples(worker.missed);
  worker.bytes = worker.missed_bytes + sum_of_samples(plan_.batch - worker.missed);
  worker.pace = random_.sum_of(1, 1, plan_.jitter.value);
  worker.parts_left = plan_.decodes_while_reading ? 2 : 1;
  if (plan_.decodes_while_reading) want_core({tag});
  if (fetches_beside()) {
    ++worker.parts_left;
    want_core({tag, true});
  }
  if (plan_.reader_time.value > 0) {
    ++worker.parts_left;
    const double missed = worker.missed_bytes / plan_.sample_size;
    engine_.after(plan_.reader_time * (missed * worker.pace),
                  callback<&BatchLoaders::part_done>(*this, tag));
  }
  const double waits =
      static_cast<double>(worker.missed) / static_cast<double>(plan_.loader.readers_per_batch);
  engine_.after(gpu_plan(tag).read_latency * (waits * worker.pace),
                callback<&BatchLoaders::read_batch>(*this, tag));
}

Bytes BatchLoaders::sum_of_samples(std::int64_t count) {
  return {random_.sum_of(static_cast<double>(count), plan_.sample_size.value,
                         plan_.sample_size_deviation.value)};
}

void BatchLoaders::read_batch(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  worker.flows_left = 1;  // until all have started
  read_parts(tag);
  on_read(tag);
}

/// Starts the flows of a batch: equal stripes, or the whole files of its first drive.
void BatchLoaders::read_parts(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  const GpuPlan& gpu = gpu_plan(tag);
  const auto start = [&](RouteIndex route, Bytes size) {
    if (size.value <= 0 || !declared_.in_use[route]) return;
    ++worker.flows_left;
    engine_.start_flow(declared_.routes[route], size, callback<&BatchLoaders::on_read>(*this, tag));
  };
  if (plan_.whole_files) {
    lay_out_files(worker);
    // One reader takes them drive by drive, several readers as many drives at the same time.
    for (std::size_t i = 0; i < plan_.sources_at_once() && read_files(tag); ++i)
      ++worker.flows_left;
  } else {
    const double flows = declared_.stripes_alike ? 1 : static_cast<double>(gpu.reads.size());
    for (const RouteIndex route : gpu.reads) start(route, worker.missed_bytes / flows);
  }
  if (gpu.hits) start(*gpu.hits, worker.bytes - worker.missed_bytes);
}

/// How many files of a batch lie on each drive, and with which it begins.
void BatchLoaders::lay_out_files(Worker& worker) {
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
bool BatchLoaders::read_files(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  const std::size_t sources = worker.files.size();
  for (std::size_t tried = 0; tried < sources; ++tried) {
    const std::size_t source = (worker.source + tried) % sources;
    const std::int64_t files = std::exchange(worker.files[source], 0);
    if (files == 0) continue;
    worker.source = source;
    const double share = static_cast<double>(files) / static_cast<double>(worker.missed);
    engine_.start_flow(declared_.routes[gpu_plan(tag).reads[source]], worker.missed_bytes * share,
                       callback<&BatchLoaders::on_files_read>(*this, tag));
    return true;
  }
  return false;
}

void BatchLoaders::on_files_read(std::uint64_t tag) {
  if (!read_files(tag)) on_read(tag);
}

void BatchLoaders::on_read(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  if (--worker.flows_left > 0) return;
  read_ += worker.missed_bytes;
  ++batches_read_;
  batch_of(tag).read_end = engine_.now();
  if (plan_.decodes_while_reading) return part_done(tag);
  want_core({tag});
}

void BatchLoaders::want_core(CoreWork work) {
  Pool& pool = this->pool(work.tag);
  pool.waiting.push_back(work);
  if (pool.free > 0) take_core(pool);
}

/// Gives a free core to the work that has waited longest.
void BatchLoaders::take_core(Pool& pool) {
  const CoreWork work = pool.waiting.front();
  pool.waiting.pop_front();
  --pool.free;
  if (work.fetches)
    fetch(work.tag);
  else
    decode(work.tag);
}

void BatchLoaders::decode(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  worker.decoding = true;
  worker.decode_start = engine_.now();
  const double samples = worker.bytes / plan_.sample_size;
  const double missed = worker.missed_bytes / plan_.sample_size;
  const Seconds fetch = fetches_beside() ? Seconds{} : plan_.fetch * missed;
  worker.decode_time =
      (plan_.decode * samples + fetch + plan_.batch_overhead) * (worker.pace * pool(tag).stretch);
  engine_.after(worker.decode_time, callback<&BatchLoaders::on_core_done>(*this, tag));
}

void BatchLoaders::fetch(std::uint64_t tag) {
  const double missed = worker(tag).missed_bytes / plan_.sample_size;
  engine_.after(plan_.fetch * (missed * pool(tag).stretch),
                callback<&BatchLoaders::on_fetched>(*this, tag));
}

void BatchLoaders::release_core(std::uint64_t tag) {
  Pool& pool = this->pool(tag);
  ++pool.free;
  if (!pool.waiting.empty()) take_core(pool);
}

void BatchLoaders::on_fetched(std::uint64_t tag) {
  release_core(tag);
  part_done(tag);
}

void BatchLoaders::on_core_done(std::uint64_t tag) {
  release_core(tag);
  worker(tag).decoding = false;
  ++batches_decoded_;
  part_done(tag);
}

void BatchLoaders::part_done(std::uint64_t tag) {
  if (--worker(tag).parts_left == 0) on_decoded(tag);
}

void BatchLoaders::on_decoded(std::uint64_t tag) {
  Worker& worker = this->worker(tag);
  Batch& done = batch_of(tag);
  done.decode_end = engine_.now();
  done.decoded = true;
  worker.next += plan_.loader.batches_at_once;
  worker.busy = false;
  start_worker(tag);
  on_ready_.call(on_ready_.target, tag / worker_slots_);
}

Supply BatchLoaders::supply() const {
  Bytes read{};
  double decoded = static_cast<double>(batches_decoded_);
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    for (const RouteIndex route : plan_.gpus[g].reads)
      if (declared_.in_use[route]) read += engine_.moved(declared_.routes[route]);
    for (const Worker& worker : gpus_[g].workers)
      if (worker.decoding && worker.decode_time.value > 0)
        decoded += (engine_.now() - worker.decode_start) / worker.decode_time;
  }
  const auto gpus = static_cast<double>(gpus_.size());
  constexpr double kNextToNothing = 0.01;  // read so seldom, batches come in bursts
  const double missed = 1 - hit_rate_;
  if (missed < kNextToNothing) return {static_cast<double>(batches_read_) / gpus, decoded / gpus};
  return {read / plan_.sample_size / missed / plan_.global_batch(), decoded / gpus};
}

}  // namespace gpufeed
